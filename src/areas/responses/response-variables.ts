import { remembered } from '../../platform/area/collected';
import type { FieldSpec } from '../../platform/conditions/condition';
import { FieldSet } from '../../platform/conditions/field-set';
import { valueAt } from '../../platform/conditions/record-facts';
import { resourceFields } from '../../platform/conditions/resource-fields';
import type { Principal } from '../../platform/context/principal';

/** Records around a ticket that variables reach, by the relation that leads there. */
export const NEIGHBOURS = { company: 'companies', category: 'categories', team: 'teams' } as const;

const PEOPLE = ['requester.name', 'requester.email', 'agent.name', 'agent.email'];

/** The variables that a canned response may use. */
export const responseVariables = remembered(() =>
  Object.entries(NEIGHBOURS)
    .reduce(
      (set, [prefix, resource]) => set.with(resourceFields(resource).under(prefix)),
      resourceFields('tickets').under('ticket'),
    )
    .with(new FieldSet(new Map(PEOPLE.map((name): [string, FieldSpec] => [name, { type: 'text' }])))),
);

/**
 * What a variable stands for.
 *
 * @param ticket as GET shows it, with its neighbours
 * @param user who answers; a token of nobody leaves `agent` empty, because customers are not to read its name
 */
export function responseValue(
  name: string,
  ticket: Readonly<Record<string, unknown>>,
  user: Principal['user'],
): unknown {
  const dot = name.indexOf('.');
  const [head, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  if (head === 'ticket') return valueAt(ticket, rest);
  if (head === 'agent') return valueAt(user, rest);
  if (head === 'requester') return valueAt(ticket, `requester_${rest}`);
  return Object.hasOwn(NEIGHBOURS, head) ? valueAt(ticket[head], rest) : undefined;
}
