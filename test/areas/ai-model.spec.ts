import fc from 'fast-check';
import { languageOf } from '../../src/areas/ai-engine/language/languages';
import { sentimentOf } from '../../src/areas/ai-engine/language/sentiment';
import { taskMetrics, type Tally } from '../../src/areas/ai-engine/metrics/task-metrics';
import { classify, trainClassifier } from '../../src/areas/ai-engine/model/classifier';
import { evaluate } from '../../src/areas/ai-engine/model/evaluation';
import { explain } from '../../src/areas/ai-engine/model/explain';
import { fromFile, toFile } from '../../src/areas/ai-engine/model/model-file';
import { seeded } from '../../src/areas/ai-engine/model/random';
import { SeenText } from '../../src/areas/ai-engine/model/seen-text';
import { ALL_BUCKETS, eachFeature, MAX_CHARACTERS, wordsOf } from '../../src/areas/ai-engine/model/text-features';
import { columnOf } from '../../src/areas/ai-engine/model/tf-idf';
import { similarity, vectorOf } from '../../src/areas/ai-engine/predictions/similarity';
import { circumstanceWords } from '../../src/areas/ai-engine/training/circumstances';
import { sufficient } from '../../src/areas/ai-engine/training/training-data';
import { anyText } from '../support/any-text';
import { deskTexts } from '../support/desk-texts';

const classes = ['printers', 'passwords', 'invoices'];
const { texts, labels } = deskTexts(240);
const made = trainClassifier({ texts, labels, classes }, 0.6);

it('tells in a few words how a ticket and its SLA are', () => {
  const calm = { priority: 'low', category_id: 7, elapsed: 0.5, replies: 1, waiting: 3, hour: 9, weekday: 1 };
  expect(circumstanceWords(calm)).toBe('category7 prioritylow elapsed50 replies1 waiting2 hours8to12 weekday1');
  const wild = { ...calm, priority: null, category_id: null, elapsed: 1e9, replies: 1e9, waiting: 1e300, hour: 23 };
  expect(circumstanceWords(wild)).toBe('categorynone prioritynone elapsed75 replies3 waiting10 hours20to24 weekday1');
});

describe('a classifier', () => {
  it('learns what tells texts apart, and how sure it may be', () => {
    const { texts: others, labels: truth } = deskTexts(90, 99);
    const said = others.map((text) => classify(made.classifier, text)[0]);
    const right = said.filter((best, at) => best?.value === classes[truth[at] ?? -1]).length;
    expect(right / others.length).toBeGreaterThan(0.9);
    expect(made.evaluation.accuracy).toBeGreaterThan(0.9);
    expect(made.evaluation.n).toBeGreaterThan(20);
  });

  it('answers probabilities of all classes, whatever the text is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const likely = classify(made.classifier, text);
        expect(likely.map(({ value }) => value).sort()).toEqual([...classes].sort());
        expect(likely.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(1, 4);
        expect(likely.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('is the same from the same texts, and after it was stored', () => {
    const file = toFile(made.classifier);
    const restored = fromFile(Buffer.concat([Buffer.alloc(3), file]).subarray(3));
    expect(restored && toFile(restored)).toEqual(file);
    const text = 'The printer on the second floor prints nothing but stripes';
    expect(restored && classify(restored, text)).toEqual(classify(made.classifier, text));
    expect(Buffer.from(toFile(trainClassifier({ texts, labels, classes }, 0.6).classifier)).equals(file)).toBe(true);
  });

  it('reads nothing that it did not write', () => {
    const file = toFile(made.classifier);
    expect(fromFile(file.subarray(0, file.length - 4))).toBeNull();
    expect(fromFile(new Uint8Array())).toBeNull();
    expect(fromFile(new Uint8Array(64).fill(255))).toBeNull();
  });

  it('names words that spoke for what it said', () => {
    const tokens = explain(made.classifier, 'my printer has a paper jam again', 'printers').map(({ token }) => token);
    expect(tokens).toContain('printer');
    expect(explain(made.classifier, 'my printer has a paper jam', 'nothing')).toEqual([]);
  });

  it('finds every feature that it knows and no other, and sees a text once for several questions', () => {
    const { kinds, vocabulary } = made.classifier;
    const known = new Map([...vocabulary.buckets].map((bucket, column) => [bucket, column]));
    expect([...known].filter(([bucket, column]) => columnOf(vocabulary, bucket) !== column)).toEqual([]);
    for (const bucket of [0, 1, 1_023, 1_024, ALL_BUCKETS - 1])
      expect(columnOf(vocabulary, bucket)).toBe(known.get(bucket) ?? -1);
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const seen = new SeenText(text);
        const rows = seen.rows(kinds, vocabulary);
        classify(made.classifier, other);
        expect(seen.rows(kinds, vocabulary)).toBe(rows);
        expect(new SeenText(text).rows(kinds, vocabulary)).toEqual(rows);
        expect(classify(made.classifier, seen)).toEqual(classify(made.classifier, text));
      }),
      { numRuns: 30 },
    );
  });

  it('looks at the beginning of a text alone', () => {
    const long = `printer ${'x'.repeat(MAX_CHARACTERS)} password`;
    expect(wordsOf(long)).not.toContain('password');
    let features = 0;
    eachFeature(wordsOf('a '.repeat(1_000_000)), { characters: true }, () => features++);
    expect(features).toBeLessThan(10 * MAX_CHARACTERS);
  });
});

describe('how good predictions are', () => {
  it('is told by accuracy, F1, calibration and what was answered', () => {
    const judged = [
      { predicted: 0, actual: 0, confidence: 0.95 },
      { predicted: 0, actual: 1, confidence: 0.95 },
      { predicted: 1, actual: 1, confidence: 0.55 },
      { predicted: 1, actual: -1, confidence: 0.25 },
    ];
    const { accuracy, weighted_f1, macro_f1, ece, answered, calibration } = evaluate(judged, 0.6);
    expect(accuracy).toBe(0.5);
    expect(answered).toEqual({ confidence: 0.6, coverage: 0.5, accuracy: 0.5 });
    // F1 of class 0 is 2/3, of class 1 1/2, of what is neither 0.
    expect(macro_f1).toBeCloseTo((2 / 3 + 1 / 2) / 3, 3);
    expect(weighted_f1).toBeCloseTo((2 / 3 + 2 * (1 / 2)) / 4, 3);
    expect(ece).toBeCloseTo((2 * 0.45 + 0.45 + 0.25) / 4, 3);
    expect(calibration[9]).toEqual({ bin: 0.9, predicted: 0.95, observed: 0.5, n: 2 });
  });

  it('is nothing of nothing', () => {
    expect(evaluate([], 0.6)).toMatchObject({ n: 0, accuracy: null, weighted_f1: null, macro_f1: null, ece: null });
  });

  it('is counted from what became of them, with numerators and denominators', () => {
    const tally = { task: 'priority', value: 'low', actual_value: 'low', bin: 7, confidence: 0.75 } as const;
    const tallies: Tally[] = [
      { ...tally, status: 'accepted', was_correct: true, n: 3, confidence: 2.25 },
      { ...tally, status: 'corrected', actual_value: 'high', was_correct: false, n: 1 },
      { ...tally, status: 'pending', actual_value: null, was_correct: null, n: 2, confidence: 1.5 },
      {
        ...tally,
        status: 'abstained',
        value: null,
        actual_value: 'high',
        was_correct: null,
        bin: null,
        n: 4,
        confidence: 0,
      },
    ];
    const [metrics] = taskMetrics(tallies, 'priority');
    expect(metrics).toMatchObject({
      predictions: 10,
      abstained_rate: { value: 0.4, numerator: 4, denominator: 10 },
      coverage: { value: 0.6, numerator: 6, denominator: 10 },
      accuracy: { value: 0.75, numerator: 3, denominator: 4 },
      accepted_rate: { value: 0.75, numerator: 3, denominator: 4 },
      corrected_rate: { value: 0.25, numerator: 1, denominator: 4 },
      rejected_rate: { value: 0, numerator: 0, denominator: 4 },
      confidence: { mean: 0.75, ece: 0 },
    });
    expect(metrics?.confidence.distribution).toEqual([0, 0, 0, 0, 0, 0, 0, 6, 0, 0]);
    expect(taskMetrics([], null).every(({ accuracy }) => accuracy.value === null && accuracy.denominator === 0)).toBe(
      true,
    );
  });
});

describe('what there is to learn from', () => {
  const of = (...counts: number[]): { texts: string[]; values: string[] } => {
    const values = counts.flatMap((count, index) => Array.from({ length: count }, () => `v${index}`));
    return { texts: values.map((value) => `text of ${value}`), values };
  };

  it('is enough with 200 tickets and two values of 20', () => {
    expect(sufficient(of(180, 20))).toMatchObject({
      reason: null,
      classes: [
        { value: 'v0', samples: 180 },
        { value: 'v1', samples: 20 },
      ],
    });
  });

  it('is too little below, and says what is missing', () => {
    expect(sufficient(of()).reason).toContain('There are 0 closed tickets');
    expect(sufficient(of(179, 20)).reason).toContain('There are 199 closed tickets');
    expect(sufficient(of(300)).reason).toContain('Fewer than two values');
    expect(sufficient(of(300, 19)).reason).toContain('Fewer than two values');
    expect(sufficient(of(100, 60, ...Array.from({ length: 5 }, () => 10))).reason).toContain('160 together');
  });

  it('leaves out values of too few tickets', () => {
    const { texts: kept, values, classes: known } = sufficient(of(190, 30, 5));
    expect(known.map(({ value }) => value)).toEqual(['v0', 'v1']);
    expect(kept).toHaveLength(220);
    expect(values).not.toContain('v2');
  });
});

describe('what lists of words tell', () => {
  it.each([
    ['en', 'Hello, I cannot log in to my account since this morning, please help'],
    ['de', 'Guten Tag, ich kann mich seit heute nicht mehr anmelden, bitte helfen Sie mir'],
    ['fr', 'Bonjour, je ne peux plus me connecter à mon compte depuis ce matin'],
    ['it', 'Buongiorno, non riesco ad accedere al mio account, grazie per il vostro aiuto'],
    ['es', 'Hola, no puedo entrar en mi cuenta desde esta mañana, muchas gracias por su ayuda'],
    ['ja', 'こんにちは。今朝からアカウントにログインできません。助けてください。'],
    ['ru', 'Здравствуйте, я не могу войти в свою учётную запись с утра'],
  ])('is the language %s', (language, text) => {
    expect(languageOf(text).value).toBe(language);
  });

  it('is no language of too little text, or of no words', () => {
    expect(languageOf('printer').value).toBeNull();
    expect(languageOf('kxqz vvbn wrtp lkjh mnbv cxzq').value).toBeNull();
  });

  it('is how a text sounds, never surer than 0.6, and nothing in other languages', () => {
    const sound = (text: string, language = 'en'): string | undefined => sentimentOf(text, language)?.value;
    expect(sound('This is unacceptable!! The worst service, I am furious')).toBe('very_negative');
    expect(sound('Thank you, that was great and very helpful, excellent!')).toBe('very_positive');
    expect(sound('The meeting is on Tuesday')).toBe('neutral');
    expect(sound('This is not good')).not.toBe('positive');
    expect(sentimentOf('unacceptable '.repeat(50), 'en')?.confidence).toBe(0.6);
    expect(sentimentOf('irgendwas', 'xx')).toBeNull();
  });
});

describe('the likeness of two texts', () => {
  it('is 1 for the same, 0 for nothing in common, and the same both ways', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const [left, right] = [vectorOf(one), vectorOf(other)];
        expect(similarity(left, right)).toBeCloseTo(similarity(right, left), 9);
        expect(similarity(left, right)).toBeLessThanOrEqual(1);
        if (left.size > 0) expect(similarity(left, left)).toBeCloseTo(1, 6);
      }),
      { numRuns: 50 },
    );
    expect(similarity(vectorOf('printer jam'), vectorOf('password reset'))).toBe(0);
  });
});

it('counts its random numbers the same each time', () => {
  const [one, other] = [seeded(7), seeded(7)];
  expect(Array.from({ length: 5 }, one)).toEqual(Array.from({ length: 5 }, other));
});
