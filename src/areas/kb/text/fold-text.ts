import { normalise } from '../../../platform/text/normalise';

/** Letters that stand for others without being them with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ё: 'е',
};

/**
 * A text as searches compare it: compatibility forms resolved (full-width letters, ligatures), lower case, Latin and Greek
 * letters without their marks, white space as single spaces. Marks of other scripts stay: there they make other letters
 * (`й`, `が`). Linear in the length of the text.
 */
export function foldText(text: string): string {
  const apart = normalise(normalise(text, 'NFKC').toLowerCase(), 'NFD');
  return normalise(apart.replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1'), 'NFC')
    .replace(/[ßæœøđðłþħıё]/gu, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();
}
