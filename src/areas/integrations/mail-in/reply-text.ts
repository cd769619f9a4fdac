import { ANSWER_LINE } from '../../../platform/mail/letter/letter';

const ATTRIBUTION =
  /^\s*(on .{4,200} wrote|am .{4,200} schrieb.{0,80}|le .{4,200} a écrit|el .{4,200} escribió|il .{4,200} ha scritto|em .{4,200} escreveu|op .{4,200} schreef.{0,80}|den .{4,200} skrev.{0,80}|.{4,120} писал\(а\))\s*:\s*$/iu;
const DIVIDER =
  /^\s*-{2,}\s*(original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|forwarded message|weitergeleitete nachricht)\s*-{2,}\s*$/iu;
const HEADER_LINE =
  /^\s*\*?(from|von|de|da|van|sent|gesendet|envoyé|enviado|inviato|verzonden|date|datum|to|an|à|para|a|aan|subject|betreff|objet|asunto|oggetto|onderwerp|assunto)\s?:\*?\s+\S/iu;
const DEVICE =
  /^(sent from my .{2,40}|von meinem .{2,40} gesendet|envoyé de mon .{2,40}|get outlook for (ios|android).*)$/iu;
const SIGNATURE = /^-- ?$/;
const QUOTED = /^\s*>/;
const OUR_LINE = new RegExp(`^[>\\s*_|]*${ANSWER_LINE.begin} .{1,120} ${ANSWER_LINE.end}[\\s*_]*$`);

/**
 * What the sender of a reply wrote: without the message it answers and without the signature. Cuts only what is
 * unmistakable; an answer between the lines of a quote keeps the quote. When nothing would be left, everything stays.
 */
export function replyText(text: string): string {
  const lines = text.split('\n');
  const end = quoteStart(lines);
  const kept = withoutSignature(lines.slice(0, end)).join('\n').trim();
  return kept === '' ? text.trim() : kept;
}

/** Index of the line where the answered message begins; the number of lines when it is not quoted. */
function quoteStart(lines: readonly string[]): number {
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (DIVIDER.test(line)) return index;
    if (OUR_LINE.test(line)) return attributionStart(lines, index);
    if (isHeaderBlock(lines, index)) return isRule(lines[index - 1]) ? index - 1 : index;
    const length = attributionLength(lines, index);
    if (length > 0 && onlyQuotes(lines.slice(index + length))) return index;
  }
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1])) end--;
  let start = end;
  while (start > 0 && (QUOTED.test(lines[start - 1] ?? '') || isBlank(lines[start - 1]))) start--;
  return start < end && QUOTED.test(lines.slice(start, end).find((line) => !isBlank(line)) ?? '')
    ? start
    : lines.length;
}

/** Where what belongs to a quote begins that is known to begin at this index or before: mail programs say whose it is. */
function attributionStart(lines: readonly string[], index: number): number {
  let end = index;
  while (end > 0 && (isBlank(lines[end - 1]) || isRule(lines[end - 1]) || QUOTED.test(lines[end - 1] ?? ''))) end--;
  const length = [1, 2, 3].find((count) => count <= end && ATTRIBUTION.test(lines.slice(end - count, end).join(' ')));
  return end - (length ?? 0);
}

/** An attribution may be wrapped: how many lines it takes from here, 0 when there is none. */
function attributionLength(lines: readonly string[], index: number): number {
  for (const length of [1, 2, 3]) {
    if (ATTRIBUTION.test(lines.slice(index, index + length).join(' '))) return length;
  }
  return 0;
}

/** What follows an attribution must be a quote and nothing but one, or it is no attribution. */
function onlyQuotes(lines: readonly string[]): boolean {
  const first = lines.find((line) => !isBlank(line));
  return first !== undefined && lines.every((line) => QUOTED.test(line) || isBlank(line));
}

/** Outlook repeats the header of the message it answers: at least three of its lines in a row. */
function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!/^\s*\*?(from|von|de|da|van)\s?:/iu.test(lines[index] ?? '')) return false;
  const next = lines.slice(index, index + 6).filter((line) => !isBlank(line));
  return next.length >= 3 && next.slice(0, 3).every((line) => HEADER_LINE.test(line));
}

function withoutSignature(lines: readonly string[]): string[] {
  const mark = lines.findLastIndex((line) => SIGNATURE.test(line));
  const kept = mark === -1 ? [...lines] : lines.slice(0, mark);
  while (kept.length > 0 && isBlank(kept.at(-1))) kept.pop();
  if (DEVICE.test(kept.at(-1)?.trim() ?? '')) kept.pop();
  return kept;
}

function isRule(line: string | undefined): boolean {
  return /^\s*[_-]{5,}\s*$/.test(line ?? '');
}

function isBlank(line: string | undefined): boolean {
  return (line ?? '').trim() === '';
}
