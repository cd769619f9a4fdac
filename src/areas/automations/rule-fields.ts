import type { FieldSpec } from '../../platform/conditions/condition';
import { FieldSet } from '../../platform/conditions/field-set';
import { ownName } from '../../platform/conditions/record-facts';
import { resourceFields } from '../../platform/conditions/resource-fields';
import { eventCatalogue, eventKind } from '../../platform/events/event-catalogue';
import { allResources, resourceIfAny } from '../../platform/resource/resource';

/** The trigger that is no event. */
export const SCHEDULE = 'schedule';

/** Events about other records than tickets that may start a rule, once their areas are installed. */
const OTHER_EVENTS = ['meeting.created', 'lead.created', 'deal.stage_changed', 'quote.accepted'];
/** The ticket is gone: nothing could be done. */
const NOT_OFFERED = ['ticket.deleted'];
/** Who can be the actor of an event. */
export const ACTOR_TYPES = ['user', 'requester', 'automation', 'ai', 'system', 'token', 'directory'] as const;

/** Names that `trigger.event` may have: every ticket event, some others, and `schedule`. */
export function triggerEvents(): string[] {
  const all = eventCatalogue().flatMap(({ events }) => events);
  const offered = all.filter(({ type, object }) =>
    object === 'ticket' ? !NOT_OFFERED.includes(type) : OTHER_EVENTS.includes(type),
  );
  return [...offered.map(({ type }) => type), SCHEDULE];
}

/** The singular name of the record that rules for this trigger are about. */
export function objectOf(event: string): string {
  return event === SCHEDULE ? 'ticket' : (eventKind(event)?.object ?? 'ticket');
}

const conditionSets = new Map<string, FieldSet>();
const variableSets = new Map<string, FieldSet>();

/** Fields that the conditions of a rule may name, by the object of its trigger. */
export function conditionFields(object: string): FieldSet {
  return remembered(conditionSets, object, () => {
    const own = resourceFields(pluralOf(object), {
      tracked: true,
      relations: object === 'ticket' ? { company: 'companies', category: 'categories' } : {},
    });
    const common: [string, FieldSpec][] = [
      ['actor.type', { type: 'enum', values: ACTOR_TYPES }],
      ['actor.id', { type: 'number' }],
      ['now.in_business_hours', { type: 'boolean' }],
    ];
    return own
      .with(new FieldSet(new Map(common)))
      .with(elapsed(own))
      .with(object === 'ticket' ? ticketOnly() : NOTHING)
      .aliased((name) => ownName(name, object));
  });
}

/** Variables that the templates of a rule may name, by the object of its trigger. */
export function templateVariables(object: string): FieldSet {
  return remembered(variableSets, object, () => {
    const texts = (names: readonly string[]): FieldSet =>
      new FieldSet(new Map(names.map((name): [string, FieldSpec] => [name, { type: 'text' }])));
    const general = texts(['actor.name', 'actor.type', 'actor.id', 'automation.id', 'automation.name']);
    const own = resourceFields(pluralOf(object)).under(object);
    if (object !== 'ticket') return own.with(general);
    return own
      .with(resourceFields('companies').under('company'))
      .with(resourceFields('categories').under('category'))
      .with(texts(['requester.email', 'requester.name', 'requester.domain']))
      .with(texts(['comment.id', 'comment.body', 'comment.author_name', 'comment.author_type', 'comment.is_internal']))
      .with(general);
  });
}

const NOTHING = new FieldSet(new Map());

function ticketOnly(): FieldSet {
  const comment = resourceIfAny('ticket_comments')?.column;
  const fields: [string, FieldSpec][] = [
    ['requester.email', { type: 'text' }],
    ['requester.domain', { type: 'text' }],
    ['comment.body', { type: 'text' }],
    ['comment.is_internal', { type: 'boolean' }],
    ['comment.author_type', { type: 'enum', values: comment?.get('author_type')?.values ?? [] }],
  ];
  return new FieldSet(new Map(fields));
}

/** Minutes, and minutes of business time, since each of the record's moments. */
function elapsed(own: FieldSet): FieldSet {
  const moments = [...own.entries()].filter(([name, { type }]) => type === 'timestamp' && !name.includes('.'));
  const names = moments.flatMap(([name]) => [`minutes_since.${name}`, `business_minutes_since.${name}`]);
  return new FieldSet(new Map(names.map((name): [string, FieldSpec] => [name, { type: 'number' }])));
}

function pluralOf(object: string): string {
  return allResources().find(({ singular }) => singular === object)?.name ?? object;
}

/** Resources are declared before anything is checked, so what was worked out once stays true. */
function remembered(sets: Map<string, FieldSet>, object: string, work: () => FieldSet): FieldSet {
  const known = sets.get(object);
  if (known) return known;
  const made = work();
  sets.set(object, made);
  return made;
}
