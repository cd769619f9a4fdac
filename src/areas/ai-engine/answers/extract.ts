import { coverage, type Question } from '../retrieval/ranking';
import { type Passage, sentencesOf } from '../retrieval/passages';

/** Sentences of an answer. */
const MOST = 3;

/**
 * The sentences of a passage that have most of a question, word for word and in their order, with where they stand in the text that the passage is of.
 *
 * @param beginning of a passage that has nothing of it, the first ones: what answers a question need not repeat it
 */
export function extract(passage: Passage, question: Question, beginning: boolean): Passage[] {
  const sentences = sentencesOf(passage.text).map((sentence) => ({
    ...sentence,
    has: coverage(question, sentence.text),
  }));
  const prose = sentences.filter(({ text }) => !/^#{1,6}\s/.test(text));
  const having = prose.filter(({ has }) => has > 0);
  const told = having.length === 0 && beginning ? prose : having;
  const best = [...told].sort((one, other) => other.has - one.has || one.start - other.start).slice(0, MOST);
  return best
    .sort((one, other) => one.start - other.start)
    .map(({ start, end, text }) => ({ start: passage.start + start, end: passage.start + end, text }));
}
