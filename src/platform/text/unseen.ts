const ASCII_SEEN = /^[\t-\r -~]*$/;
/** Scripts whose letters look otherwise where a joiner, or none, is asked for. */
const JOINED =
  `Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala
  Khmer Myanmar Tibetan Newa Tirhuta Balinese Javanese`
    .split(/\s+/)
    .map((script) => `\\p{Script=${script}}`)
    .join('');
const LETTER = `(?!\\p{Default_Ignorable_Code_Point})[${JOINED}]`;
const MONGOLIAN = '(?!\\p{Default_Ignorable_Code_Point})\\p{Script=Mongolian}';
const PICTURE = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]|\\p{Extended_Pictographic}\\uFE0F';

/** What changes how its neighbours look: flags of regions, joiners of letters and of pictures, variants of pictures and ideographs. */
const TELLING = [
  '\\u{1F3F4}[\\u{E0020}-\\u{E007F}]+',
  `(?<=${LETTER})[\\u200C\\u200D](?=${LETTER})`,
  `(?<=${PICTURE})\\u200D(?=\\p{Extended_Pictographic})`,
  '(?<=[\\p{Extended_Pictographic}#*0-9])[\\uFE0E\\uFE0F]',
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
  `(?<=${MONGOLIAN})[\\u180B-\\u180F]`,
].join('|');

const UNSEEN = new RegExp(`(${TELLING})|(?![\\t-\\r\\u0085])[\\p{Cc}\\p{Default_Ignorable_Code_Point}]`, 'gu');

/**
 * A name without the characters that nobody sees (zero-width ones, marks of direction, controls), so that two that look alike are
 * one; joiners and variants stay where their neighbours look otherwise with them. Idempotent.
 */
export function withoutUnseen(name: string): string {
  return ASCII_SEEN.test(name) ? name : name.replace(UNSEEN, '$1');
}
