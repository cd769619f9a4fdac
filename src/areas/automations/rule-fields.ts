import { collected, remembered } from '../../platform/area/collected';
import type { RuleCondition } from '../../platform/area/rules';
import type { FieldSpec } from '../../platform/conditions/condition';
import { definedFields } from '../../platform/conditions/defined-fields';
import { FieldSet } from '../../platform/conditions/field-set';
import { ownName } from '../../platform/conditions/record-facts';
import { resourceFields } from '../../platform/conditions/resource-fields';
import { eventCatalogue, eventKind } from '../../platform/events/event-catalogue';
import type { FieldBook } from '../../platform/fields/field-definition';
import { resourceIfAny, resourceOfObject } from '../../platform/resource/resource';

/** The trigger that is no event. */
export const SCHEDULE = 'schedule';

/** Who can be the actor of an event. */
export const ACTOR_TYPES = ['user', 'requester', 'automation', 'ai', 'system', 'token', 'directory'] as const;

/** Events that areas let start rules. */
const triggers = collected(({ triggers: declared }) => declared);
/** What areas let conditions ask besides the columns of records. */
const conditions = collected(({ conditions: declared }) => declared);

/** Names that `trigger.event` may have: what the areas let start rules, and `schedule`. */
export function triggerEvents(): string[] {
  const all = eventCatalogue().flatMap(({ events }) => events);
  return [...all.map(({ type }) => type).filter((type) => triggers.includes(type)), SCHEDULE];
}

/** The singular name of the record that rules for this trigger are about. */
export function objectOf(event: string): string {
  return event === SCHEDULE ? 'ticket' : (eventKind(event)?.object ?? 'ticket');
}

const conditionSets = remembered(() => new Map<string, FieldSet>());
const variableSets = remembered(() => new Map<string, FieldSet>());

/** Fields that the conditions of a rule may name, by the object of its trigger. */
export function conditionFields(object: string): FieldSet {
  return once(conditionSets(), object, () => {
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
      .with(declaredFor(object))
      .aliased((name) => ownName(name, object));
  });
}

/** The same with the custom fields that a workspace has defined, by their types. */
export function workspaceFields(object: string, book: FieldBook): FieldSet {
  const defined = definedFields(book.get(object) ?? [], true);
  const neighbours = object === 'ticket' ? ['company', 'category'] : [];
  return neighbours
    .reduce(
      (set, name) => set.with(definedFields(book.get(name) ?? []).under(name)),
      conditionFields(object).with(defined),
    )
    .aliased((name) => ownName(name, object));
}

/** Variables that the templates of a rule may name, by the object of its trigger. */
export function templateVariables(object: string): FieldSet {
  return once(variableSets(), object, () => {
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

function declaredFor(object: string): FieldSet {
  const fields = conditions.filter((each) => each.object === object);
  return new FieldSet(new Map(fields.map(({ field, spec }): [string, FieldSpec] => [field, spec])));
}

/** What an area works out of a record, under the name that conditions have for it; undefined when none does. */
export function declaredCondition(object: string, field: string): RuleCondition | undefined {
  return conditions.find((each) => each.object === object && each.field === field);
}

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
  return resourceOfObject(object)?.name ?? object;
}

/** Resources are declared before anything is checked, so what was worked out once stays true. */
function once(sets: Map<string, FieldSet>, object: string, work: () => FieldSet): FieldSet {
  const known = sets.get(object);
  if (known) return known;
  const made = work();
  sets.set(object, made);
  return made;
}
