import { drawer, type Random, zipf } from './random';
import {
  ANSWERS,
  NOTES,
  PLACES,
  QUALIFIERS,
  RARE_WORDS,
  REPLIES,
  REQUESTS,
  SENTENCES,
  SINCE,
  SYMPTOMS,
  TAGS,
  THINGS,
} from './vocabulary';

const thing = zipf(THINGS, 6);
const symptom = zipf(SYMPTOMS, 5);
const qualifier = zipf(QUALIFIERS, 6);
const tag = zipf(TAGS, 3);
const sentences = drawer([0, 1, 2, 3], [2, 4, 3, 1]);
const tagCount = drawer([0, 1, 2, 3], [6, 3, 2, 1]);

/** In how many tickets of a large seeding each rare word is found. */
const RARE_OCCURRENCES = 20;

/** What a ticket says: one line of subject, about 100 to 400 characters of description. */
export interface TicketText {
  subject: string;
  description: string;
  tags: string;
}

/**
 * A generator of ticket texts.
 *
 * @param total tickets to come; decides how often rare words occur
 */
export function ticketTexts(random: Random, total: number): () => TicketText {
  const rare = Math.min(0.02, (RARE_OCCURRENCES * RARE_WORDS.length) / Math.max(1, total));
  return () => {
    const what = thing(random);
    const problem = symptom(random);
    const place = random.of(PLACES);
    const subject = random.chance(0.7)
      ? `${capital(what)} ${problem}${random.chance(0.4) ? ` ${place}` : ''}`
      : `${random.of(REQUESTS)} ${qualifier(random)} ${what}`;
    let description = `My ${qualifier(random)} ${what} ${problem} ${random.of(SINCE)}, ${place}.`;
    if (random.chance(0.3)) description += ` The ${thing(random)} next to it ${symptom(random)} too.`;
    if (random.chance(0.25)) description += ` Device ${inventoryNumber(random)}.`;
    if (random.chance(0.15)) description += ` Error 0x${random.below(0xffff).toString(16).padStart(4, '0')}.`;
    for (let count = sentences(random); count > 0; count--) description += ` ${random.of(SENTENCES)}`;
    if (random.chance(rare)) description += ` It has to do with the ${random.of(RARE_WORDS)}.`;
    return { subject, description, tags: tags(random) };
  };
}

/** Text of a comment by an agent, by the requester, or among agents. */
export function commentText(random: Random, kind: 'reply' | 'answer' | 'note'): string {
  const source = kind === 'reply' ? REPLIES : kind === 'answer' ? ANSWERS : NOTES;
  const first = random.of(source);
  return random.chance(0.3) ? `${first} ${random.of(source)}` : first;
}

function tags(random: Random): string {
  const count = tagCount(random);
  if (count === 0) return '';
  const chosen = new Set<string>();
  for (let index = 0; index < count; index++) chosen.add(tag(random));
  return [...chosen].join(',');
}

function inventoryNumber(random: Random): string {
  return `${random.chance(0.6) ? 'LT' : 'PC'}-${10_000 + random.below(90_000)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
