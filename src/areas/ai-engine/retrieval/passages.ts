/** A part of a text, as it stands there. */
export interface Passage {
  /** Places of its first character and behind its last, in UTF-16 code units. */
  start: number;
  end: number;
  text: string;
}

/** Words after which a passage ends with the paragraph, and behind which it ends in any case. */
const ENOUGH_WORDS = 80;
const MOST_WORDS = 200;
/** The same for characters: a word may have any number of them. */
const MOST_CHARACTERS = 2_000;
const HEADING = /^#{1,6}\s/;

/** Made once: that takes longer than to cut a text. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The same while it grows. */
interface Span {
  start: number;
  end: number;
  words: number;
}

/**
 * A text in passages of whole paragraphs, as they stand there: a heading begins one, one of 80 words is long enough, and none
 * has more than 200. Together they are all that the text says, but for the space between them.
 */
export function passagesOf(text: string): Passage[] {
  const spans: Span[] = [];
  let isOpen = false;
  for (const part of paragraphs(text)) {
    const words = countWords(part.text);
    const last = spans.at(-1);
    if (words > MOST_WORDS || part.text.length > MOST_CHARACTERS) {
      spans.push(...pieces(part));
      isOpen = false;
    } else if (isOpen && last && goesOn(last, part, words)) {
      last.end = part.end;
      last.words += words;
    } else {
      spans.push({ start: part.start, end: part.end, words });
      isOpen = true;
    }
  }
  return spans.map(({ start, end }) => ({ start, end, text: text.slice(start, end) }));
}

/** Whether a paragraph belongs to the passage before it. */
function goesOn({ start, words }: Span, part: Passage, more: number): boolean {
  const isShort = words + more <= MOST_WORDS && part.end - start <= MOST_CHARACTERS;
  return words < ENOUGH_WORDS && isShort && !HEADING.test(part.text);
}

/** The sentences of a text, as they stand there; line breaks end them, too. */
export function sentencesOf(text: string): Passage[] {
  const found: Passage[] = [];
  for (const { segment, index } of segmenter.segment(text)) {
    let at = index;
    for (const line of segment.split('\n')) {
      const trimmed = line.trim();
      const start = at + line.indexOf(trimmed);
      if (/[\p{L}\p{N}]/u.test(trimmed)) found.push({ start, end: start + trimmed.length, text: trimmed });
      at += line.length + 1;
    }
  }
  return found;
}

/** Parts between empty lines, without the space around them; line by line, so that no text takes longer than it is long. */
function paragraphs(text: string): Passage[] {
  const spans: { start: number; end: number }[] = [];
  let isOpen = false;
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from);
    const line = text.slice(from, newline === -1 ? text.length : newline);
    const trimmed = line.trim();
    const start = from + line.indexOf(trimmed);
    const end = start + trimmed.length;
    const last = spans.at(-1);
    if (trimmed === '') isOpen = false;
    else if (isOpen && last) last.end = end;
    else {
      spans.push({ start, end });
      isOpen = true;
    }
    from += line.length + 1;
  }
  return spans.map(({ start, end }) => ({ start, end, text: text.slice(start, end) }));
}

/** A paragraph that is too long, cut between words; a word that is too long, cut between characters. */
function pieces({ start, text }: Passage): Span[] {
  const spans: Span[] = [];
  for (const { index, 0: word } of text.matchAll(/\S{1,2000}/gu)) {
    const end = start + index + word.length;
    const last = spans.at(-1);
    if (last && last.words < MOST_WORDS && end - last.start <= MOST_CHARACTERS) {
      last.end = end;
      last.words++;
    } else spans.push({ start: start + index, end, words: 1 });
  }
  return spans;
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
