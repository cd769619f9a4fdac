import fc from 'fast-check';
import { confidenceOf } from '../../src/areas/ai-engine/conversations/confidence';
import { isConfirmation, isSmallTalk } from '../../src/areas/ai-engine/conversations/confirmation';
import {
  type HandoverRules,
  type Said,
  stepByRules,
  stepBySources,
} from '../../src/areas/ai-engine/conversations/next-step';
import { LEVELS } from '../../src/areas/ai-engine/language/sentiment';
import { DEFAULT_HANDOVER } from '../../src/areas/ai-engine/settings/ai-settings.values';
import { anyText } from '../support/any-text';

const RULES: HandoverRules = DEFAULT_HANDOVER;
const PLAIN: Said = {
  text: 'My VPN does not connect',
  sentiment: 'neutral',
  turns: 1,
  wasAskedBack: false,
  isConfirmation: false,
  isSmallTalk: false,
  isWithPerson: false,
  isServed: true,
  priority: null,
};

describe('what comes next', () => {
  it.each<[Partial<Said>, ReturnType<typeof stepByRules>]>([
    [{}, null],
    [{ isWithPerson: true }, { action: 'handover', reason: 'rule' }],
    [
      { isServed: false, isConfirmation: true },
      { action: 'handover', reason: 'rule' },
    ],
    [{ text: 'I want to talk to a HUMAN!' }, { action: 'handover', reason: 'requested' }],
    [{ text: 'Vorrei parlare con un operatore' }, { action: 'handover', reason: 'requested' }],
    [{ text: 'a Real\n person, please' }, { action: 'handover', reason: 'requested' }],
    [{ text: 'humane treatment of agents' }, null],
    [{ priority: 'urgent' }, { action: 'handover', reason: 'urgent' }],
    [{ priority: 'high' }, null],
    [{ isConfirmation: true, turns: 9 }, { action: 'resolve' }],
    [{ sentiment: 'very_negative' }, { action: 'handover', reason: 'negative_sentiment' }],
    [{ sentiment: 'negative' }, null],
    [{ turns: 4 }, null],
    [{ turns: 5 }, { action: 'handover', reason: 'max_turns' }],
    [{ isSmallTalk: true }, { action: 'clarify' }],
  ])('by rules alone: %j is %j', (said, step) => {
    expect(stepByRules({ ...PLAIN, ...said }, RULES)).toEqual(step);
  });

  it('leaves to the settings what makes a person take over', () => {
    const rules = { ...RULES, on_request: false, on_negative_sentiment: false, priorities: [], max_turns: 50 };
    const said: Said = { ...PLAIN, text: 'human', sentiment: 'very_negative', priority: 'urgent', turns: 50 };
    expect(stepByRules(said, rules)).toBeNull();
    expect(stepBySources(0.5, 0.8, { wasAskedBack: true }, { on_low_confidence: false })).toEqual({
      action: 'clarify',
    });
  });

  it('is an answer only where a source is sure enough, whatever else', () => {
    fc.assert(
      fc.property(
        fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        fc.boolean(),
        (confidence, least, wasAskedBack, on_low_confidence) => {
          const { action } = stepBySources(confidence, least, { wasAskedBack }, { on_low_confidence });
          expect(action === 'answer').toBe(confidence !== null && confidence >= least);
          if (action === 'handover') expect(wasAskedBack).toBe(true);
        },
      ),
    );
  });

  it('is never an answer by rules alone, and with a person always a hand-over, whatever is said', () => {
    const said = fc.record({
      text: anyText,
      sentiment: fc.option(fc.constantFrom(...LEVELS)),
      turns: fc.integer({ min: 1, max: 60 }),
      wasAskedBack: fc.boolean(),
      isConfirmation: fc.boolean(),
      isSmallTalk: fc.boolean(),
      isWithPerson: fc.boolean(),
      isServed: fc.boolean(),
      priority: fc.option(fc.constantFrom('low', 'urgent')),
    });
    fc.assert(
      fc.property(said, (each) => {
        const step = stepByRules(each, RULES);
        expect(step?.action).not.toBe('answer');
        if (each.isWithPerson || !each.isServed) expect(step).toEqual({ action: 'handover', reason: 'rule' });
        if (each.turns > RULES.max_turns && step?.action !== 'resolve') expect(step?.action).toBe('handover');
      }),
    );
  });
});

describe('that an answer was right', () => {
  it.each([
    'Thanks!',
    'Thank you, that solved it',
    'Perfect, it works',
    'Danke, das hat geklappt',
    'ok grazie',
    'Merci, résolu',
  ])('is said by %j', (text) => {
    expect(isConfirmation(text)).toBe(true);
  });

  it.each([
    'Thanks, but it is still broken',
    'That did not help, thanks',
    "Thanks, it doesn't work",
    'Thanks? Really?',
    'Thanks, and how do I change my address',
    'Hello',
    '',
  ])('is not said by %j', (text) => {
    expect(isConfirmation(text)).toBe(false);
  });

  it('is not said where a word more means anything', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[bdfg]{6,12}$/), (word) => {
        expect(isConfirmation(`Thanks, that solved it ${word}`)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('is another thing than a greeting', () => {
    expect(['Hello', 'Hi there!', '...', 'Guten Tag?'].map(isSmallTalk)).toEqual([true, true, true, false]);
    expect(isSmallTalk('VPN')).toBe(false);
  });
});

describe('how sure an answer is', () => {
  it('is the score as long as nobody has judged', () => {
    expect([0, 0.44, 0.8, 0.99, 1].map((score) => confidenceOf(score, []))).toEqual([0.05, 0.45, 0.85, 0.95, 0.95]);
  });

  it('is what became of answers like it, once there are many', () => {
    const judged = [{ tenth: 9, n: 380, helpful: 190 }];
    expect(confidenceOf(0.95, judged)).toBeCloseTo(0.54, 1);
    expect(confidenceOf(0.1, judged)).toBe(0.15);
  });

  it('is between 0 and 1, and never less for a higher score, whatever was judged', () => {
    const tally = fc.record({
      tenth: fc.integer({ min: 0, max: 9 }),
      n: fc.nat(500),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const tallies = fc.uniqueArray(tally, { selector: ({ tenth }) => tenth });
    fc.assert(
      fc.property(tallies, (found) => {
        const judged = found.map(({ tenth, n, share }) => ({ tenth, n, helpful: Math.floor(n * share) }));
        const sure = Array.from({ length: 21 }, (_, at) => confidenceOf(at / 20, judged));
        expect(sure.every((each) => each >= 0 && each <= 1)).toBe(true);
        expect(sure).toEqual([...sure].sort((one, other) => one - other));
      }),
      { numRuns: 100 },
    );
  });
});
