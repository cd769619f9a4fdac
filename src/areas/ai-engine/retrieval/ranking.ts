import { eachWord } from '../../../platform/search/words';
import type { WordVector } from '../predictions/similarity';

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

/** What a question is about, as a vector of length 1: its telling words, each as often as it stands there, and by how telling it is. */
export function tellingVector(question: Question, counts: WordVector): WordVector {
  const weights = [...question].map(([word, weight]) => [word, weight * (counts.get(word) ?? 0)] as const);
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
  return new Map(weights.map(([word, weight]) => [word, weight / length]));
}

/** The words of a text, and the longer ones by how they begin. */
export interface TextWords {
  words: ReadonlySet<string>;
  byBeginning: ReadonlyMap<string, readonly string[]>;
}

/** The words of a text as questions are held against them. */
export function wordsIn(text: string): TextWords {
  const words = new Set<string>();
  const byBeginning = new Map<string, string[]>();
  for (const { text: word } of eachWord(text)) {
    if (words.has(word)) continue;
    words.add(word);
    if (word.length < LEAST_ALIKE) continue;
    const beginning = word.slice(0, LEAST_ALIKE);
    const alike = byBeginning.get(beginning);
    if (alike) alike.push(word);
    else byBeginning.set(beginning, [word]);
  }
  return { words, byBeginning };
}

/** Share of what a question says that texts have together, by how telling its words are; words that begin alike are taken for one. */
export function covered(question: Question, texts: readonly TextWords[]): number {
  let found = 0;
  let all = 0;
  for (const [word, weight] of question) {
    all += weight;
    if (texts.some((text) => has(text, word))) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/** The same for one text. */
export function coverage(question: Question, text: string): number {
  return covered(question, [wordsIn(text)]);
}

function has({ words, byBeginning }: TextWords, word: string): boolean {
  if (words.has(word)) return true;
  const alike = byBeginning.get(word.slice(0, LEAST_ALIKE)) ?? [];
  return alike.some((other) => areAlike(word, other));
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
