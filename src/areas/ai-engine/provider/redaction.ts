/** What is taken out of texts before somebody else reads them. */
export interface Redaction {
  emails: boolean;
  phones: boolean;
  cards: boolean;
}

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,190}\.\p{L}{2,24}/gu;
/** 13 to 19 digits, spaces or hyphens between them. */
const CARD = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;
const PHONE = /(?<![\p{L}\p{N}])\+?\d(?:[ ()./-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu;

/** The text with `[email]`, `[phone]` and `[card]` in place of what looks like one, and how many there were. */
export function redacted(text: string, { emails, phones, cards }: Redaction): { text: string; count: number } {
  let count = 0;
  const put = (mark: string) => (): string => {
    count++;
    return mark;
  };
  let left = text;
  if (emails) left = left.replaceAll(EMAIL, put('[email]'));
  if (cards) left = left.replaceAll(CARD, (found) => (isCard(found) ? put('[card]')() : found));
  if (phones) left = left.replaceAll(PHONE, put('[phone]'));
  return { text: left, count };
}

/** By the check digit (Luhn). */
function isCard(found: string): boolean {
  const digits = Array.from(found.replaceAll(/\D/g, ''), Number).reverse();
  const sum = digits.reduce((total, digit, place) => {
    const weighed = place % 2 === 0 ? digit : digit * 2;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}
