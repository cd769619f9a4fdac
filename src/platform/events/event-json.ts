import { timestampText } from '../columns/column-spec';

/**
 * SQL text of `data` as clients see it: object, id, the record under the object's name, the related records, and when
 * the record was deleted. The stored JSON texts are put together as they are.
 *
 * @param e alias of the row in `events`
 */
export function eventDataSql(e: string): string {
  const object = `to_json(${e}.object)::text`;
  const parts = [
    `'{"object":' || ${object} || ',"id":' || ${e}.object_id`,
    `',' || ${object} || ':' || coalesce(${e}.data::text, 'null')`,
    relatedMembers(e),
    `CASE WHEN ${e}.type LIKE '%.deleted' THEN ',"deleted_at":"' || ${timestampText(`${e}.created_at`)} || '"' ELSE '' END`,
    `'}'`,
  ];
  return `(${parts.join(' || ')})`;
}

/**
 * SQL text of an event as webhooks deliver it (product reference 5.2). Every copy of an event under one name has the same
 * bytes, whenever and by whomever it is made.
 *
 * @param e alias of the row in `events`
 * @param name SQL of the name it is delivered under
 */
export function eventBodySql(e: string, name = `${e}.type`): string {
  const parts = [
    `'{"id":' || to_json(${e}.uid)::text`,
    `',"type":' || to_json(${name})::text`,
    `',"api_version":"v1","timestamp":"' || ${timestampText(`${e}.created_at`)}`,
    `'","workspace_id":' || ${e}.workspace_id`,
    `',"sequence":{"id":' || to_json(${e}.sequence_id)::text || ',"position":' || ${e}.position`,
    `'},"actor":' || ${e}.actor::text`,
    `',"causation":' || ${e}.causation::text`,
    `',"data":' || ${eventDataSql(e)}`,
    `',"changes":' || coalesce(${e}.changes::text, 'null') || '}'`,
  ];
  return `(${parts.join(' || ')})`;
}

/** The members of `related`, with a comma before them. */
function relatedMembers(e: string): string {
  const text = `btrim(${e}.related::text)`;
  return `CASE WHEN ${e}.related IS NULL OR ${text} = '{}' THEN '' ELSE ',' || substr(${text}, 2, length(${text}) - 2) END`;
}
