import { normaliseTags } from '../../../platform/columns/column-spec';
import { tagsProblem } from '../../../platform/columns/column-validators';
import { canonicalLanguage } from '../../../platform/text/language';
import { TICKET_PRIORITIES } from '../../tickets/ticket-values';
import { LEVELS } from '../language/sentiment';
import { CSAT_RISKS, INTENT_TAG, SLA_ENDS, type Task } from '../tasks';

/** Closed lists of values. */
export const LISTS: Partial<Record<Task, readonly string[]>> = {
  priority: TICKET_PRIORITIES,
  csat_risk: CSAT_RISKS,
  sla_breach_risk: SLA_ENDS,
  sentiment: LEVELS,
};

/** An id as it is written by this service; whatever else somebody says names nothing. */
export const ID = /^[1-9]\d{0,15}$/;

/** An intent is the end of a tag: letters, digits, `_` and `-`, so many of them that the tag is none too long. */
const INTENT = /^[\p{L}\p{N}_-]{1,40}$/u;

/** Minutes, up to some nineteen hundred years. */
const MINUTES = /^(0|[1-9]\d{0,8})$/;

/** A value that somebody says is true as it is kept, or what is wrong with how it is written. */
export type WrittenLabel = { value: string } | { code: string; problem: string; allowed?: readonly string[] };

/** How a value that somebody says is true is kept; whether what it names is there is another question. */
export function writtenLabel(task: Task, given: string): WrittenLabel {
  const allowed = LISTS[task];
  if (allowed) {
    if (allowed.includes(given)) return { value: given };
    return { code: 'enum', problem: `must be one of: ${allowed.join(', ')}`, allowed };
  }
  switch (task) {
    case 'tags':
      return writtenTags(normaliseTags(given));
    case 'intent':
      if (INTENT.test(given) && given === given.toLowerCase()) return { value: given };
      return refused('must be lower-case letters, digits, "_" and "-", at most 40');
    case 'language': {
      const value = canonicalLanguage(given.trim());
      return value === null ? refused('must be a language tag of BCP 47, e.g. en or pt-BR') : { value };
    }
    case 'resolution_time':
      return MINUTES.test(given) ? { value: given } : refused('must be a whole number of minutes, from 0 on');
    default:
      return { value: given };
  }
}

function writtenTags(value: string): WrittenLabel {
  if (value.split(',').some((tag) => tag.startsWith(INTENT_TAG)))
    return refused(`must not name "${INTENT_TAG}" tags: those are intents`);
  return tagsProblem(value) ?? { value };
}

function refused(problem: string): WrittenLabel {
  return { code: 'format', problem };
}
