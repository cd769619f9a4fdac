import { invalid } from '../../platform/errors/api-error';
import { isKnownMoment } from '../../platform/time/iso-time';
import { applyFact, openState } from './clock';
import { iso, ms } from './clock-time';
import { dueMoments, rollup, view } from './clock-view';
import type { Applied, CommentAuthor, Fact, Note, SlaState, Terms } from './clock-types';
import type { Simulation } from './sla-answer';

export const TIMELINE_STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'] as const;
export const TIMELINE_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export const TIMELINE_CHANNELS = ['portal', 'email', 'phone', 'chat', 'internal'] as const;
export const TIMELINE_AUTHORS = ['agent', 'requester', 'system', 'automation', 'ai'] as const;

/** A ticket that never was. Moments are ISO 8601 with a zone. */
export interface Story {
  readonly created_at: string;
  readonly priority: string;
  readonly channel?: string;
  readonly status?: string;
  readonly timeline?: readonly StoryMoment[];
  readonly as_of?: string;
}

export interface StoryMoment {
  readonly at: string;
  readonly status?: string;
  readonly priority?: string;
  readonly comment?: { readonly author: CommentAuthor; readonly is_internal?: boolean };
}

/** Working time is worked out day by day, and no promise is longer. */
const MAX_STORY_MS = 10 * 365.25 * 86_400_000;

const PASSIVE: ReadonlySet<string> = new Set(['on_hold', 'resolved', 'closed']);

/**
 * Tells a ticket's story to the clocks of a policy, as it would have happened: a requester's public comment opens a ticket
 * that is on hold or done. Refuses (422) moments that are out of order, and those at which nothing happens.
 */
export function simulate(terms: Terms, story: Story): Simulation {
  const { timeline = [] } = story;
  const created = exact(story.created_at);
  checkOrder(story);
  const { status = 'open', priority, channel = 'portal' } = story;
  const notes: Note[] = [];
  let state = keep(notes, openState(terms, { at: created, status, priority, channel }));
  const happen = (fact: Fact): void => {
    state = keep(notes, applyFact(state, fact));
  };
  for (const moment of timeline) for (const fact of factsOf(moment, state)) happen(fact);
  const as_of = exact(story.as_of ?? timeline.at(-1)?.at ?? created);
  happen({ at: as_of, type: 'time' });
  if (state.clocks.some(({ due_at }) => due_at !== null && !isKnownMoment(ms(due_at))))
    invalid('created_at', 'max', 'created_at is so late that a target lies beyond the year 9999.');
  const { at_risk_at: _, ...due } = dueMoments(state.clocks);
  return {
    as_of,
    policy: { id: terms.policy_id, name: terms.policy_name, version: terms.policy_version },
    schedule: { mode: terms.schedule.mode, timezone: terms.schedule.timezone ?? null },
    sla_status: rollup(state.clocks, ms(as_of)),
    ...due,
    clocks: state.clocks.map((clock) => view(clock, terms, ms(as_of))),
    history: notes.map(({ instance_no, ...note }) => ({ ...note, instance: instance_no })),
  };
}

/** In the order in which a change of a ticket tells them. */
function factsOf({ at, status, priority, comment }: StoryMoment, state: SlaState): Fact[] {
  const moment = exact(at);
  const isInternal = comment?.is_internal ?? false;
  const reopens = comment?.author === 'requester' && !isInternal && PASSIVE.has(status ?? state.status);
  return [
    ...(status === undefined ? [] : [{ at: moment, type: 'status', to: status } as const]),
    ...(reopens ? [{ at: moment, type: 'status', to: 'open' } as const] : []),
    ...(priority === undefined ? [] : [{ at: moment, type: 'priority', priority } as const]),
    ...(comment ? [{ at: moment, type: 'comment', author: comment.author, is_internal: isInternal } as const] : []),
  ];
}

function checkOrder({ created_at, timeline = [], as_of }: Story): void {
  let last = ms(created_at);
  const end = last + MAX_STORY_MS;
  timeline.forEach(({ at, status, priority, comment }, index) => {
    const field = `timeline.${index}`;
    if (ms(at) < last) invalid(`${field}.at`, 'order', `${field}.at must not be before what precedes it`);
    if (status === undefined && priority === undefined && comment === undefined) {
      invalid(field, 'required', `${field} must have a status, a priority or a comment`);
    }
    if (ms(at) > end) tooLate(`${field}.at`);
    last = ms(at);
  });
  if (as_of !== undefined && ms(as_of) < last) {
    invalid('as_of', 'order', 'as_of must not be before the last moment of the timeline');
  }
  if (as_of !== undefined && ms(as_of) > end) tooLate('as_of');
}

function tooLate(field: string): never {
  invalid(field, 'max', `${field} must be within 10 years of created_at`);
}

function keep(notes: Note[], { state, notes: more }: Applied): SlaState {
  notes.push(...more);
  return state;
}

const exact = (moment: string): string => iso(ms(moment));
