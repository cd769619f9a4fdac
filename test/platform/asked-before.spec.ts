import fc from 'fast-check';
import { AskedBefore } from '../../src/platform/resource/read/asked-before';

describe('what was asked before', () => {
  it('is what was, until all is forgotten', () => {
    const asked = new AskedBefore(1_000);
    const clock = jest.spyOn(performance, 'now');
    clock.mockReturnValue(5_000);
    expect([asked.note('a'), asked.note('a'), asked.note('b'), asked.note('a')]).toEqual([false, true, false, true]);
    clock.mockReturnValue(6_001);
    expect([asked.note('a'), asked.note('b'), asked.note('a')]).toEqual([false, false, true]);
    clock.mockRestore();
  });

  it('knows a question that was the one before, whatever it says', () => {
    const asked = new AskedBefore(1e9);
    fc.assert(
      fc.property(fc.string(), (question) => {
        asked.note(question);
        expect(asked.note(question)).toBe(true);
      }),
    );
  });

  it('remembers most of a thousand, and takes none of them for another', () => {
    const asked = new AskedBefore(1e9);
    const questions = Array.from({ length: 1_000 }, (_, serial) => `select ${serial}`);
    expect(questions.filter((question) => asked.note(question))).toEqual([]);
    expect(questions.filter((question) => asked.note(question)).length).toBeGreaterThan(850);
  });
});
