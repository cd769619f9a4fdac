import { fold } from '../../../platform/search/words';
import { COMMON_WORDS } from './languages';

/** Words that say nothing about what somebody asks, folded as searches fold them. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(COMMON_WORDS).flatMap((list) => list.split(' ').map(fold)),
  ...'a i so or do if no does did how why who am an us me hello hi dear regards thanks thank kind best cannot get got any some'.split(
    ' ',
  ),
]);

/** The words that tell what a question is about, each once, in their order; at most so many. */
export function tellingWords(words: Iterable<string>, most: number): string[] {
  const kept = new Set<string>();
  for (const word of words) {
    if (word.length < 2 || STOP_WORDS.has(word)) continue;
    kept.add(word);
    if (kept.size === most) break;
  }
  return [...kept];
}
