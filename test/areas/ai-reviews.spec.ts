import fc from 'fast-check';
import {
  correctionOf,
  FARTHEST,
  LEAST_OF_A_KIND,
  LEAST_OUTCOMES,
  type Outcome,
  told,
} from '../../src/areas/ai-engine/predictions/correction';
import { predict, train } from '../support/ai-models';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { deskTexts } from '../support/desk-texts';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const CRASH = 'The mail program crashes with an error and does not start';
const PRINTER = 'The printer in the office has a paper jam and the toner prints stripes';

describe('how sure a prediction is, by what became of others', () => {
  const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
  const METHODS = ['tfidf-svm', 'rules', 'lexicon', 'function-words', 'cosine', 'base-rates'] as const;
  const method = fc.constantFrom(...METHODS);
  const outcomes: fc.Arbitrary<Outcome[]> = fc.array(
    fc.record({
      task: fc.constantFrom('category' as const, 'csat_risk' as const),
      method,
      model_id: fc.constantFrom(1, 2),
      score: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
      is_right: fc.boolean(),
      is_reviewed: fc.boolean(),
      n: fc.integer({ min: 1, max: 5_000 }),
    }),
    { maxLength: 40 },
  );
  const cold = (family: string) => correctionOf('category', family, 1, []);
  const oddsOf = (p: number): number => Math.log(p / (1 - p));

  it('never falls, stays within its bounds whatever is said, and has nothing to do with the order in which it is', () => {
    fc.assert(
      fc.property(outcomes, method, fc.array(number(0, 1), { maxLength: 12 }), (given, family, scores) => {
        const correction = correctionOf('category', family, 1, given);
        const said = [...scores].sort((one, other) => one - other).map(correction);
        expect(said).toEqual([...said].sort((one, other) => one - other));
        expect(said.every((each) => each >= 0 && each <= 1)).toBe(true);
        const begun = cold(family);
        for (const score of scores) {
          // Log odds go no farther than that, from where they are held.
          const held = Math.min(0.995, Math.max(0.005, begun(score)));
          const odds = oddsOf(held);
          const ends = FARTHEST.slope.flatMap((slope) => FARTHEST.start.map((start) => slope * odds + start));
          const now = correction(score);
          if (now === begun(score)) continue;
          expect(now).toBeGreaterThanOrEqual(0.01);
          expect(now).toBeLessThanOrEqual(family === 'lexicon' ? 0.6 : 0.99);
          if (now > 0.01 && now < 0.99 && now !== 0.6) {
            expect(oddsOf(now)).toBeGreaterThanOrEqual(Math.min(...ends) - 0.01);
            expect(oddsOf(now)).toBeLessThanOrEqual(Math.max(...ends) + 0.01);
          }
        }
        const parted = [...given]
          .reverse()
          .flatMap((each) => [{ ...each, n: 1 }, ...(each.n > 1 ? [{ ...each, n: each.n - 1 }] : [])]);
        expect(scores.map(correctionOf('category', family, 1, parted))).toEqual(scores.map(correction));
      }),
    );
  });

  it('is the fixed map below the gate, and of other tasks, methods and models nearly always', () => {
    fc.assert(
      fc.property(outcomes, method, number(0, 1), (given, family, score) => {
        const fixed = cold(family)(score);
        expect(fixed).toBeLessThanOrEqual(score + (family === 'cosine' && score < 0.85 ? 1 : 1e-4));
        const own = given.filter((each) => each.task === 'category' && each.method === family);
        const weigh = (isRight: boolean): number =>
          own
            .filter(({ is_right }) => is_right === isRight)
            .reduce(
              (sum, { n, is_reviewed, model_id }) => sum + n * (is_reviewed ? 1 : 0.5) * (model_id === 1 ? 1 : 0.25),
              0,
            );
        const [right, wrong] = [weigh(true), weigh(false)];
        if (right + wrong < LEAST_OUTCOMES || Math.min(right, wrong) < LEAST_OF_A_KIND)
          expect(correctionOf('category', family, 1, given)(score)).toBe(fixed);
        expect(correctionOf('category', family, 1, given)(score)).toBe(correctionOf('category', family, 1, own)(score));
      }),
    );
  });

  it('says what was so with less surprise than the method itself', () => {
    const loss = (given: readonly Outcome[], sure: (score: number) => number): number =>
      given.reduce((sum, { score, is_right, n }) => {
        const p = Math.min(0.995, Math.max(0.005, sure(score)));
        return sum - n * Math.log(is_right ? p : 1 - p);
      }, 0);
    fc.assert(
      fc.property(outcomes, (given) => {
        const own = given.map((each) => ({
          ...each,
          method: 'tfidf-svm',
          model_id: 1,
          is_reviewed: true,
          task: 'category' as const,
        }));
        const n = own.reduce((sum, each) => sum + each.n, 0);
        // Rounding to four decimals, and the ends, cost a little.
        expect(loss(own, correctionOf('category', 'tfidf-svm/2026-11-22', 1, own))).toBeLessThanOrEqual(
          loss(own, (score) => score) + 0.01 * n,
        );
      }),
    );
    const [often, seldom] = [0.9, 0.3].map((part): Outcome[] =>
      [true, false].map((is_right) => ({
        task: 'category',
        method: 'tfidf-svm',
        model_id: 1,
        score: 0.6,
        is_right,
        is_reviewed: true,
        n: Math.round(300 * (is_right ? part : 1 - part)),
      })),
    );
    expect(correctionOf('category', 'tfidf-svm/x', 1, often ?? [])(0.6)).toBeCloseTo(0.9, 1);
    expect(correctionOf('category', 'tfidf-svm/x', 1, seldom ?? [])(0.6)).toBeCloseTo(0.3, 1);
    // A model that was made anew begins nearer to what it says of itself.
    const [own, next] = [1, 2].map((id) => correctionOf('category', 'tfidf-svm/x', id, seldom ?? [])(0.6));
    expect(own).toBeLessThan(next ?? 0);
    expect(next).toBeLessThan(0.6);
  });

  it('leaves what else it could be no surer, and no more of it than is left', () => {
    fc.assert(
      fc.property(outcomes, fc.array(number(0.001, 1), { minLength: 1, maxLength: 4 }), (given, shares) => {
        const all = shares.reduce((sum, each) => sum + each, 0);
        const sorted = shares
          .map((each) => Math.floor((each / all) * 10_000) / 10_000)
          .sort((one, other) => other - one);
        const [score = 0, ...others] = sorted;
        const alternatives = others.map((confidence, at) => ({ value: `${at}`, label: `${at}`, confidence }));
        const raw = {
          task: 'category' as const,
          value: 'x',
          label: 'x',
          confidence: score,
          alternatives,
          features: [],
          method: 'rules',
          model_id: null,
          abstain_reason: null,
        };
        const now = told(raw, correctionOf('category', 'rules', null, given));
        expect(now.score).toBe(score);
        const sums = now.alternatives.map(({ confidence }) => confidence);
        expect(sums.every((each) => each <= (now.confidence ?? 0))).toBe(true);
        expect(sums.reduce((sum, each) => sum + each, now.confidence ?? 0)).toBeLessThanOrEqual(1.001);
      }),
    );
  });
});

describe('a workspace whose people review', () => {
  let home: TestWorkspace;
  let api: Api;
  let places = 0;

  beforeAll(async () => {
    home = await makeWorkspace(server);
    ({ api } = home);
  });

  /** Predictions of tickets of their own, with what became of them. */
  async function became(count: number, of: object): Promise<void> {
    const nothing = { value: null, alternatives: [], model_id: null, actual_value: null, was_correct: null };
    const { value, alternatives, ...row } = { ...nothing, reviewed: false, ...of };
    await sql.rows(
      `WITH made AS (INSERT INTO tickets (workspace_id, number, code, subject)
         SELECT $1, 800000 + $3 + n, 'SEEN-' || ($3 + n), 'seen' FROM generate_series(1, $2) n RETURNING id)
       INSERT INTO ai_predictions (workspace_id, ticket_id, task, value, label, confidence, score, alternatives, method, model_id, status, abstain_reason, actual_value, was_correct, reviewed_at, input_hash)
       SELECT $1, made.id, r.task, $5, $5, r.score, r.score, $6::jsonb, r.method, r.model_id, r.status, CASE WHEN $5::text IS NULL THEN 'low_confidence' END,
         r.actual_value, r.was_correct, CASE WHEN r.reviewed THEN now() END, 'x'
       FROM made, jsonb_to_record($4::jsonb) AS r(task text, score numeric, method text, model_id bigint, status text, actual_value text, was_correct boolean, reviewed boolean)`,
      [home.id, count, places, JSON.stringify(row), value, JSON.stringify(alternatives)],
    );
    places += count;
  }

  /** Somebody reviews one of the task; whoever predicts then knows of all that came before. */
  async function reviewed(task: string): Promise<Fields> {
    const { id } = await makeTicket(api, { subject: CRASH });
    const [said] = await predict(api, { ticket_id: id, tasks: [task] });
    return (await api.post(`/ai-engine/predictions/${said?.id}/review`, { status: 'accepted' })).expect(200).data;
  }

  const intent = async (from = api): Promise<Fields> =>
    (await predict(from, { text: CRASH, tasks: ['intent'] }))[0] ?? { id: 0 };

  it('begins with a fixed map, and goes by what was accepted from 50 outcomes on, as soon as it is said', async () => {
    const [language] = await predict(api, { text: CRASH, tasks: ['language'] });
    expect(language).toMatchObject({
      method: 'function-words',
      confidence: expect.closeTo(0.9 * Number(language?.score), 3) as number,
    });
    const before = await intent();
    const { score } = before;
    expect(before).toMatchObject({ value: 'problem', method: 'rules', confidence: score });
    expect(score).toBeLessThanOrEqual(0.6);
    const ticket = await makeTicket(api, { subject: CRASH });
    const [kept] = await predict(api, { ticket_id: ticket.id, tasks: ['intent'] });
    const by = { task: 'intent', method: 'rules', score, value: 'problem', reviewed: true };
    await became(43, { ...by, status: 'accepted', actual_value: 'problem', was_correct: true });
    await became(5, { ...by, status: 'rejected', was_correct: false });
    // The 49th: too few by one. What was applied and left as it is, or taken the place of, counts for nothing.
    await became(60, { ...by, reviewed: false, status: 'applied', actual_value: 'problem', was_correct: true });
    await reviewed('intent');
    expect(await intent()).toEqual(before);
    expect(await reviewed('intent')).toMatchObject({ confidence: score, score, was_correct: true });
    const now = await intent();
    expect(now).toMatchObject({ value: 'problem', score, status: 'pending' });
    expect(now.confidence).toBeGreaterThan(Number(score) + 0.1);
    // The record is made anew where that is another band, and goes by the new one wherever it is asked.
    const [again] = await predict(api, { ticket_id: ticket.id, tasks: ['intent'] });
    expect(again).toMatchObject({ confidence: now.confidence, score, confidence_band: now.confidence_band });
    expect(again?.confidence_band).not.toBe(kept?.confidence_band);
    expect((await api.get(`/ai-engine/predictions/${kept?.id}`)).data).toMatchObject({
      status: 'expired',
      confidence: score,
    });
    const surer = `/ai-engine/predictions?ticket_id=${ticket.id}&confidence_min=${String(now.confidence)}`;
    expect((await api.get(surer)).expect(200).rows).toMatchObject([{ id: again?.id, score, status: 'pending' }]);
    const [metrics] = (await api.get('/ai-engine/metrics?task=intent')).data.tasks as {
      confidence: { calibration: Fields[] };
    }[];
    const judged = metrics?.confidence.calibration.filter(({ n }) => Number(n) > 0);
    expect(judged).toMatchObject([{ n: 110 }]);
    const other = await makeWorkspace(server);
    expect(await intent(other.api)).toEqual(before);
  });

  it('says nothing of what is hardly ever right, however sure the model is of itself, until it is right again', async () => {
    const { texts, labels } = deskTexts(240);
    const categories: Fields[] = [];
    for (const name of ['Printers', 'Passwords', 'Invoices']) categories.push(await make(api, '/categories', { name }));
    await sql.rows(
      `INSERT INTO tickets (workspace_id, number, code, subject, category_id, status)
       SELECT $1, 900000 + v.n, 'OLD-' || v.n, v.subject, v.category, 'closed' FROM json_to_recordset($2::json) AS v(n integer, subject text, category bigint)`,
      [home.id, JSON.stringify(texts.map((subject, n) => ({ n, subject, category: categories[labels[n] ?? 0]?.id })))],
    );
    const model = await train(api);
    const category = async (): Promise<Fields> =>
      (await predict(api, { text: PRINTER, tasks: ['category'] }))[0] ?? { id: 0 };
    const before = await category();
    const { value, score } = before;
    expect(before).toMatchObject({ label: 'Printers', model_id: model.id, confidence: score });
    const by = { task: 'category', method: 'tfidf-svm', model_id: model.id, score };
    await became(10, { ...by, value, status: 'pending', actual_value: value, was_correct: true });
    await became(200, { ...by, value, status: 'corrected', actual_value: '1', was_correct: false, reviewed: true });
    await reviewed('intent');
    const now = await category();
    expect(now).toMatchObject({ value: null, status: 'abstained', abstain_reason: 'low_confidence', score });
    expect(now.confidence).toBeLessThan(0.6);
    expect((now.alternatives as Fields[])[0]).toMatchObject({ value, confidence: now.confidence });
    // Nobody was told it; what the tickets came to have says that it would have been right.
    const alternatives = [{ value, label: 'Printers', confidence: now.confidence }];
    await became(500, { ...by, alternatives, status: 'abstained', actual_value: value });
    await reviewed('intent');
    expect(await category()).toEqual(before);
    // All of one kind teach nothing but that; with some of the other it is learnt how often.
    await became(20, { ...by, alternatives, status: 'abstained', actual_value: '1' });
    await reviewed('intent');
    expect(await category()).toMatchObject({ value, status: 'pending', score });
    await sql.rows(`DELETE FROM tickets WHERE workspace_id = $1 AND code LIKE 'SEEN-%'`, [home.id]);
    await reviewed('intent');
    expect(await category()).toEqual(before);
  });
});
