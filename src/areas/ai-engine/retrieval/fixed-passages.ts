import { type Passage, passagesOf, sentencesOf } from './passages';

/** Two places of a text. */
interface Span {
  start: number;
  end: number;
}

/**
 * The passages of a template, as they stand there, without the sentences that hold a variable, or a part of one: what a variable
 * stands for is not known here, and nobody is to read its name. What is left of a passage on both sides of such a sentence are two.
 */
export function fixedPassagesOf(text: string): Passage[] {
  const variables = variablesIn(text);
  const isFixed = ({ start, end }: Span): boolean =>
    !variables.some((variable) => variable.start < end && start < variable.end);
  return passagesOf(text).flatMap((passage) => (isFixed(passage) ? [passage] : fixedParts(passage, isFixed)));
}

/** Where variables stand; one that does not end goes on to the end of the text. Takes as long as the text is. */
function variablesIn(text: string): Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', found.at(-1)?.end)) {
    const close = text.indexOf('}}', start + 2);
    let end = close === -1 ? text.length : close + 2;
    while (text[end] === '}') end++;
    found.push({ start, end });
  }
  return found;
}

/** Sentences of a passage that follow each other and hold no variable, together. */
function fixedParts(passage: Passage, isFixed: (span: Span) => boolean): Passage[] {
  const parts: Span[] = [];
  let isOpen = false;
  for (const { start, end } of sentencesOf(passage.text)) {
    const span = { start: passage.start + start, end: passage.start + end };
    const last = parts.at(-1);
    if (!isFixed(span)) isOpen = false;
    else if (isOpen && last && isFixed({ start: last.start, end: span.end })) last.end = span.end;
    else {
      parts.push(span);
      isOpen = true;
    }
  }
  return parts.map(({ start, end }) => ({
    start,
    end,
    text: passage.text.slice(start - passage.start, end - passage.start),
  }));
}
