import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TicketText } from '../../src/cli/seed/text';
import { wordsOf } from '../../src/platform/search/words';

const SUBJECT = 60;
/** A rare word is in so many of a hundred thousand texts. */
const RARE = { least: 3, most: 30 } as const;
const MOST_RARE = 50;

/** Texts of real tickets, which have some 50,000 different words where a generator has some hundred. */
export interface RealTexts {
  /** One after the other, over and over, each time with a number of its own. */
  next: () => TicketText;
  /** Some that few of the texts have. */
  rare: string[];
}

/** @param file CSV, gzipped if it ends in `.gz`; the texts are in its column `document` */
export function realTexts(file: string): RealTexts {
  const bytes = readFileSync(file);
  const csv = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const texts = parse<{ document: string }>(csv, { columns: true }).map(({ document }) => document);
  let at = 0;
  const next = (): TicketText => {
    const text = texts[at % texts.length] ?? '';
    const description = `${text} reference ${(++at * 7_919) % 1_000_003}`;
    return { subject: text.slice(0, SUBJECT) || 'Request', description, tags: '' };
  };
  return { next, rare: rareWords(texts) };
}

function rareWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(wordsOf(text).map((each) => each.text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const share = texts.length / 100_000;
  return [...counts]
    .filter(([word, count]) => word.length >= 6 && count >= RARE.least * share && count <= RARE.most * share)
    .slice(0, MOST_RARE)
    .map(([word]) => word);
}
