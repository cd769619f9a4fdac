import { invalid } from '../../../platform/errors/api-error';
import { isRecord } from '../../../platform/text/json';
import { listOf, type Shape } from '../../../platform/validation/shapes';
import type { MigrationSource } from '../jobs/migration-states';
import { mapped } from '../mapping/map-of';

/** Rows of one entity; the bytes of all are bounded as those of every body are. */
export const MAX_ROWS = 1_000;

export type InlineRows = Record<string, Record<string, unknown>[]>;

/** What of a job says whether it can have rows. */
interface RowsOfJob {
  source: MigrationSource;
  entities?: readonly string[];
  rows?: InlineRows;
}

const row: Shape = {
  api: { type: 'object', additionalProperties: true },
  find: (value, field, found) => {
    if (!isRecord(value)) found.push({ field, code: 'type', message: `${field} must be an object` });
  },
};

/** Rows by entity, as a job has them in its body. */
export const inlineRows: Shape = mapped(listOf(row, { min: 1, max: MAX_ROWS, of: 'rows' }), 20);

/** Refuses (422) rows of jobs whose records come otherwise, and those of entities that the job does not take. */
export function requireRowsFit({ source, entities = [], rows }: RowsOfJob): void {
  if (!rows) return;
  if (!ROWS.includes(source))
    invalid('rows', 'invalid', `Rows in the body are for jobs of the sources ${ROWS.join(', ')}.`, {
      allowed: [...ROWS],
    });
  const [other] = Object.keys(rows).filter((entity) => entities.length > 0 && !entities.includes(entity));
  if (other !== undefined)
    invalid(`rows.${other.slice(0, 80)}`, 'enum', `This job takes ${entities.join(', ')}.`, { allowed: [...entities] });
}

/** Sources whose files have rows. */
const ROWS: readonly string[] = ['csv', 'xlsx', 'ndjson', 'json'];

/** A row a line. */
export function* linesOfRows(rows: readonly Record<string, unknown>[]): Generator<Buffer> {
  for (const each of rows) yield Buffer.from(`${JSON.stringify(each)}\n`);
}
