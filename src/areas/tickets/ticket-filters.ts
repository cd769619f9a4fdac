import { type FilterSpec, overlapFilter } from '../../platform/query/filters';
import { idOr, me, recordId } from '../../platform/query/values';

/** The indexes of lists have only tickets whose list is not empty; a condition that says so too can use them. */
function amongFilled(filter: FilterSpec, filled: (alias: string) => string): FilterSpec {
  return {
    ...filter,
    sql: (alias, value, bind) => `(${filled(alias)} AND ${filter.sql(alias, value, bind)})`,
  };
}

/** Tickets that name any of the assets. */
export const assetFilter = amongFilled(
  overlapFilter((alias) => `${alias}.asset_ids`, 'any', 'bigint'),
  (alias) => `${alias}.asset_ids <> '{}'`,
);

/** Tickets that need any of the skills themselves, whatever their categories need. */
export const requiredSkillFilter = amongFilled(
  overlapFilter((alias) => `${alias}.required_skills`, 'any'),
  (alias) => `${alias}.required_skills <> '{}'`,
);

/** Tickets that have any, or all, of the tags. */
export function tagFilter(mode: 'any' | 'all'): FilterSpec {
  return amongFilled(
    overlapFilter((alias) => `string_to_array(${alias}.tags, ',')`, mode),
    (alias) => `${alias}.tags <> ''`,
  );
}

/** Tickets that a user follows. */
export const followedByFilter: FilterSpec<number> = {
  schema: idOr(['me']),
  description: 'Id of a user; `me` = the user of the token.',
  parse: (raw, name) => (raw === 'me' ? me(name) : recordId(raw, name)),
  sql: (alias, user, bind) =>
    `${alias}.id IN (SELECT f.ticket_id FROM ticket_followers f WHERE f.workspace_id = ${alias}.workspace_id AND f.user_id = ${bind(user)})`,
};
