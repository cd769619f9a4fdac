import { Parameters } from 'helpdesk-api/platform/database/parameters';
import { type FoundHits, MOST_HITS, type OwnGroup } from 'helpdesk-api/platform/area/search-group';
import type { Query } from 'helpdesk-api/platform/postgres/statement-batch';
import { lexemeQuery, sequenceConditions } from 'helpdesk-api/platform/search/matching';
import { termsOf } from 'helpdesk-api/platform/search/terms';

/** Vehicles in `GET /search`, by plate and model; the one whose plate is searched comes first. */
export const vehicleSearch: OwnGroup = {
  type: 'vehicles',
  singular: 'vehicle',
  path: '/vehicles',
  fields: {
    status: { type: 'string' },
    driver_id: { type: 'integer', format: 'int64', nullable: true },
    mileage: { type: 'integer' },
  },
  statement,
};

/** The view finds them by its index; what is shown is read from the table under row-level security. */
function statement(text: string, workspaceId: number): Query<FoundHits> {
  const parameters = new Parameters(workspaceId);
  const terms = termsOf(text);
  const words = parameters.bind(lexemeQuery(terms, workspaceId));
  const conditions = [`lexemes @@ ${words}::tsquery`, ...sequenceConditions(terms, parameters.bind, 'search_text')];
  const found = `SELECT id FROM vehicles_search WHERE workspace_id = $1 AND ${conditions.join(' AND ')}`;
  const rows = `SELECT v.id, CASE WHEN lower(v.plate) = lower(${parameters.bind(text)}::text) THEN 1 ELSE 0.5 END AS score,
      v.plate AS title, v.model AS text, v.status, v.driver_id, v.mileage
    FROM m JOIN vehicles v ON v.workspace_id = $1 AND v.id = m.id
    ORDER BY score DESC, v.created_at DESC, v.id DESC LIMIT ${MOST_HITS}`;
  return {
    text: `WITH m AS MATERIALIZED (${found}) SELECT (SELECT coalesce(json_agg(r), '[]') FROM (${rows}) r) AS hits, (SELECT count(*) FROM m) AS total`,
    values: parameters.values,
    unnamed: true,
  };
}
