import { type FoundHits, MOST_HITS, type OwnGroup } from 'helpdesk-api/platform/area/search-group';
import type { Query } from 'helpdesk-api/platform/postgres/statement-batch';
import { escapeLike } from 'helpdesk-api/platform/resource/read/where';

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
  const found = 'SELECT id FROM vehicles_search WHERE workspace_id = $1 AND search_text LIKE lower($2::text)';
  const rows = `SELECT v.id, CASE WHEN lower(v.plate) = lower($3::text) THEN 1 ELSE 0.5 END AS score, v.plate AS title,
      v.model AS text, v.status, v.driver_id, v.mileage
    FROM m JOIN vehicles v ON v.workspace_id = $1 AND v.id = m.id
    ORDER BY score DESC, v.created_at DESC, v.id DESC LIMIT ${MOST_HITS}`;
  return {
    text: `WITH m AS MATERIALIZED (${found}) SELECT (SELECT coalesce(json_agg(r), '[]') FROM (${rows}) r) AS hits, (SELECT count(*) FROM m) AS total`,
    values: [workspaceId, `%${escapeLike(text)}%`, text],
    unnamed: true,
  };
}
