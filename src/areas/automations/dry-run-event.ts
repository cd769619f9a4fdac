import type { Shown } from '../../platform/area/rules';
import { note } from '../../platform/conditions/check-conditions';
import { type Actor, current } from '../../platform/context/current';
import { eventKind } from '../../platform/events/event-catalogue';
import type { Changes } from '../../platform/events/event-rows';
import type { ErrorDetail } from '../../platform/errors/api-error';
import { isOneOf, isRecord } from '../../platform/text/json';
import type { FrozenEvent } from './engine/rule-context';
import { ACTOR_TYPES, conditionFields, triggerEvents } from './rule-fields';

const MAX_CHANGES = 100;

interface Given {
  event?: string;
  changes?: Record<string, unknown>;
  comment?: Record<string, unknown>;
  actor?: Record<string, unknown>;
}

/**
 * The event that a dry run pretends, adding what is wrong with it to `problems`.
 *
 * @param fallback the event that the rule waits for
 */
export function pretendedEvent(
  { event, changes, comment, actor }: Given,
  fallback: string,
  problems: ErrorDetail[],
): FrozenEvent {
  const type = event === undefined ? fallback : (eventKind(event)?.type ?? event);
  const allowed = triggerEvents();
  if (!allowed.includes(type)) note(problems, 'event', 'enum', 'must be an event that starts automations', allowed);
  return {
    type,
    uid: null,
    changes: changes === undefined ? null : readChanges(changes, problems),
    comment: comment === undefined ? null : readComment(comment, problems),
    actor: actor === undefined ? current().actor : readActor(actor, problems),
  };
}

function readChanges(given: Record<string, unknown>, problems: ErrorDetail[]): Changes {
  const fields = conditionFields('ticket');
  const changes: Changes = {};
  const entries = Object.entries(given);
  if (entries.length > MAX_CHANGES) note(problems, 'changes', 'max', `must have at most ${MAX_CHANGES} fields`);
  for (const [name, change] of entries.slice(0, MAX_CHANGES)) {
    const path = `changes.${name.slice(0, 80)}`;
    if (name !== 'custom_fields' && !fields.get(name)?.tracked)
      note(problems, path, 'unknown_field', 'names no field of a ticket that changes');
    else if (!isRecord(change) || !Object.hasOwn(change, 'from') || !Object.hasOwn(change, 'to'))
      note(problems, path, 'type', 'must be {"from": …, "to": …}');
    else changes[name] = { from: change.from, to: change.to };
  }
  return changes;
}

function readComment(given: Record<string, unknown>, problems: ErrorDetail[]): Shown {
  const { body = '', is_internal = false, author_type = 'agent', ...others } = given;
  if (typeof body !== 'string') note(problems, 'comment.body', 'type', 'must be a string');
  if (typeof is_internal !== 'boolean') note(problems, 'comment.is_internal', 'type', 'must be true or false');
  const types = conditionFields('ticket').get('comment.author_type')?.values ?? [];
  if (!isOneOf(types, author_type))
    note(problems, 'comment.author_type', 'enum', `must be one of ${types.join(', ')}`, types);
  return { ...others, body, is_internal, author_type };
}

function readActor({ type, id = null, name = '' }: Record<string, unknown>, problems: ErrorDetail[]): Actor {
  const known = ACTOR_TYPES.find((each) => each === type);
  if (!known) note(problems, 'actor.type', 'enum', `must be one of ${ACTOR_TYPES.join(', ')}`, ACTOR_TYPES);
  const knownId = typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
  if (id !== null && knownId === null) note(problems, 'actor.id', 'type', 'must be an id or null');
  if (typeof name !== 'string') note(problems, 'actor.name', 'type', 'must be a string');
  return { type: known ?? 'system', id: knownId, name: String(name) };
}
