import { tagsProblem } from '../../../platform/columns/column-validators';
import { INTENT_TAG, type Task } from '../tasks';

/** An intent is the end of a tag: letters, digits, `_` and `-`, so many of them that the tag is none too long. */
const INTENT = /^[\p{L}\p{N}_-]{1,40}$/u;

/** What is wrong with a value that somebody says is true, by how it is written; null when nothing is. */
export function labelProblem(task: Task, value: string): string | null {
  if (task === 'intent')
    return INTENT.test(value) && value === value.toLowerCase()
      ? null
      : 'must be lower-case letters, digits, "_" and "-", at most 40';
  if (task !== 'tags') return null;
  const isNamed = value.split(',').some((tag) => tag.startsWith(INTENT_TAG));
  return isNamed ? `must not name "${INTENT_TAG}" tags: those are intents` : tagsProblem(value);
}
