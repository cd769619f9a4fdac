import { eachWord } from '../../../platform/search/words';

/** Words of a question, and how telling each is: the rarer the more. */
export type Question = ReadonlyMap<string, number>;

/** What a document is found by; the more it has of the question, the higher. */
export interface Scored<T> {
  item: T;
  /** Share of what the question says that stands there, 0 to 1. */
  score: number;
}

/** Places count for less the further down; where the curve is flat, no list decides alone. */
const FLATNESS = 60;
/** Letters that two words must begin with alike, and the part of the longer one that these must be. */
const LEAST_ALIKE = 5;
const MOSTLY = 0.55;

/** How telling a word is that so many of all documents have. */
export function idfOf(having: number, all: number): number {
  return Math.log(1 + (all + 1) / (having + 0.5));
}

/** Share of what a question says that a text has, by how telling its words are; words that begin alike are taken for one. */
export function coverage(question: Question, text: string): number {
  const words = new Set([...eachWord(text)].map((word) => word.text));
  const long = [...words].filter(({ length }) => length >= LEAST_ALIKE);
  let found = 0;
  let all = 0;
  for (const [word, weight] of question) {
    all += weight;
    if (words.has(word) || long.some((other) => areAlike(word, other))) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/**
 * Several orders of the same things as one: by the sum of what their places count (reciprocal rank fusion), which needs no scores
 * that can be compared.
 */
export function fused<T>(orders: readonly (readonly T[])[]): T[] {
  const sums = new Map<T, number>();
  for (const order of orders)
    for (const [place, item] of order.entries()) sums.set(item, (sums.get(item) ?? 0) + 1 / (FLATNESS + place + 1));
  return [...sums].sort(([, one], [, other]) => other - one).map(([item]) => item);
}

/** Endings of many languages differ in the last letters: the same beginning of five, and of most of the longer word, is enough. */
function areAlike(one: string, other: string): boolean {
  const longer = Math.max(one.length, other.length);
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same >= LEAST_ALIKE && same >= MOSTLY * longer;
}
