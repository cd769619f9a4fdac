import fc from 'fast-check';
import { withoutUnseen } from '../../src/platform/text/unseen';

describe('names without what nobody sees', () => {
  it.each([
    ['v\u200Bi\u2060p\uFEFF', 'vip'],
    ['\u202Evip\u200E', 'vip'],
    ['v\u00ADip\u0007', 'vip'],
    ['vi\u200Dp\u200C', 'vip'],
    ['a\uFE0F\u200D👩', 'a👩'],
    ['vip\u{E0061}\u{E0062}', 'vip'],
  ])('lose it: %j', (told, shown) => {
    expect(withoutUnseen(told)).toBe(shown);
  });

  it.each([
    'می\u200Cخواهم',
    'क\u094D\u200Dष',
    '👩🏽\u200D🚀',
    '🏳\uFE0F\u200D🌈',
    '1\uFE0F\u20E3',
    '葛\u{E0100}',
    'two words',
    'a\tb',
  ])('keep what their neighbours need: %j', (name) => {
    expect(withoutUnseen(name)).toBe(name);
  });

  it('are what they are the second time', () => {
    const part = fc.constantFrom(
      ...Array.from('aم\u061Cक\u17B4ក👩🏽🏴葛\u200B\u200C\u200D\uFE0F\u180B\u{E0061}\u{E0100}ᠠ'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = withoutUnseen(parts.join(''));
        expect(withoutUnseen(once)).toBe(once);
      }),
    );
  });
});
