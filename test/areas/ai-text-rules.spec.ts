import fc from 'fast-check';
import { citedSources, passagesCited, quotedAnswer } from '../../src/areas/ai-engine/answers/cited';
import { centralities } from '../../src/areas/ai-engine/answers/text-rank';
import { isConfirmation, isSmallTalk } from '../../src/areas/ai-engine/conversations/confirmation';
import { intentOf } from '../../src/areas/ai-engine/language/intents';
import { languageOf } from '../../src/areas/ai-engine/language/languages';
import { sentimentOf } from '../../src/areas/ai-engine/language/sentiment';
import { writtenLabel } from '../../src/areas/ai-engine/predictions/label-rules';
import { passagesOf } from '../../src/areas/ai-engine/retrieval/passages';
import { coverage, covered, fused, idfOf, wordsIn } from '../../src/areas/ai-engine/retrieval/ranking';
import type { Hit } from '../../src/areas/ai-engine/retrieval/retrieval.dto';
import { type Task, TASKS } from '../../src/areas/ai-engine/tasks';
import { anyText } from '../support/any-text';

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

/** A text that has one of a few words more often than chance would. */
const text = fc.oneof(
  anyText,
  fc
    .array(fc.constantFrom('reset', 'the', 'password', 'Resetting.', 'account', 'link!', '\n\n', '# Head\n'), {
      maxLength: 40,
    })
    .map((words) => words.join(' ')),
);

describe('what of a question a text has', () => {
  const question = fc
    .array(fc.tuple(fc.constantFrom('reset', 'password', 'zeppelin', 'account'), number(0.1, 9)), { maxLength: 4 })
    .map((words) => new Map(words));

  it('is a share, no less of more text, and all of it where the text has all words', () => {
    fc.assert(
      fc.property(question, text, text, (asked, one, other) => {
        const [alone, both] = [coverage(asked, one), covered(asked, [wordsIn(one), wordsIn(other)])];
        expect(alone >= 0 && both <= 1 + 1e-9 && both >= alone).toBe(true);
        if (asked.size > 0) expect(coverage(asked, [...asked.keys()].join(' '))).toBeCloseTo(1, 9);
      }),
    );
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), fc.integer({ min: 100, max: 100_000 }), (few, more, all) => {
        expect(idfOf(few, all)).toBeGreaterThan(0);
        expect(idfOf(few, all)).toBeGreaterThanOrEqual(idfOf(few + more, all));
      }),
    );
  });

  it('is an order of all that were found, and that of any one order where all say the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.nat(20)), { maxLength: 5 }),
        fc.uniqueArray(fc.nat(20)),
        (orders, same) => {
          expect([...fused(orders)].sort()).toEqual([...new Set(orders.flat())].sort());
          expect(fused([same, same, same])).toEqual(same);
        },
      ),
    );
  });

  it('is quoted word for word, where it says it stands, and the answer is quotes and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.constantFrom('kb_article' as const, 'ticket' as const))),
        question,
        (texts, asked) => {
          const hits = texts.flatMap(([body, source_type], id) =>
            passagesOf(body).map(({ start, end, text: passage }): Hit => ({
              ...{ source_type, id, title: 't', url: 'u', passage, start, end, score: 0.5 },
              ...{
                score_components: { words: 0.5, similarity: 0 },
                language: null,
                visibility: 'public',
                updated_at: '',
              },
            })),
          );
          const sources = citedSources(hits, asked);
          const bodies = texts.map(([body]) => body);
          const first = sources.at(0);
          for (const { id, quote, start, end } of sources) expect(bodies[id]?.slice(start, end)).toBe(quote);
          const answer = quotedAnswer(sources);
          const best = sources.filter(({ id, type }) => id === first?.id && type === first.type);
          expect(answer).toBe(best.length === 0 ? null : best.map(({ quote }) => quote).join('\n\n'));
          const cited = passagesCited(hits, [1, 0, -1, hits.length, hits.length + 1, 1.5]);
          expect(cited.every(({ quote }) => hits.some(({ passage }) => passage === quote))).toBe(true);
          expect(cited).toHaveLength(hits.length === 0 ? 0 : 2);
        },
      ),
    );
  });

  it('and how central a sentence is, are the same whatever the order of sentences', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (sentences) => {
        const [ranks, turned] = [centralities(sentences), centralities(sentences.toReversed()).toReversed()];
        expect(ranks.every((rank, at) => rank >= 0 && Math.abs(rank - (turned[at] ?? NaN)) < 1e-6)).toBe(true);
      }),
    );
  });
});

describe('what words tell', () => {
  it('is never surer than its method, whatever the text', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('en', 'de', 'it', 'fr', 'es', 'nl'), (given, language) => {
        for (const told of [intentOf(given, language), intentOf(given, null), sentimentOf(given, language)]) {
          if (told === null) continue;
          expect(told.confidence > 0 && told.confidence <= 0.6).toBe(true);
        }
        const { value, confidence } = languageOf(given);
        expect(value === null || given.replaceAll(/\P{L}/gu, '').length >= 20).toBe(true);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        if (isSmallTalk(given)) expect(isConfirmation(`${given}?`)).toBe(false);
        expect(isConfirmation(`${given} not`)).toBe(false);
      }),
    );
  });

  it('and what somebody says is true, is held to how values are written', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const kept = (task: Task): string | null => {
          const written = writtenLabel(task, given);
          return 'value' in written ? written.value : null;
        };
        for (const task of ['category', 'assignee', 'team', 'duplicate'] as const) expect(kept(task)).toBe(given);
        for (const task of TASKS) {
          const value = kept(task);
          if (value !== null) expect(writtenLabel(task, value)).toEqual({ value });
        }
        if (kept('intent') !== null) expect(given).toMatch(/^[\p{L}\p{N}_-]{1,40}$/u);
        if (kept('resolution_time') !== null) expect(given).toBe(String(Math.abs(Number.parseInt(given, 10))));
        expect(writtenLabel('tags', `intent__${given}`)).toHaveProperty('problem');
      }),
    );
  });
});
