import { Injectable } from '@nestjs/common';
import type { Shown } from '../../../platform/area/rules';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Statement } from '../../../platform/postgres/statement-batch';
import { allResources, type Resource, resourceIfAny, selectList } from '../../../platform/resource/resource';
import { wholeSelection } from '../../../platform/resource/read/selection';
import { ownJson } from '../../../platform/text/json';
import type { Surroundings } from './rule-context';

/** Records that conditions reach from the one they are about, by the column that names them. */
const NEIGHBOURS = { company: 'companies', category: 'categories' } as const;

/** Reads records as rules see them: as GET shows them, with company and category. */
@Injectable()
export class RecordReader {
  private readonly texts = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** The record now, in the current unit of work; null when it is gone, or its area is not installed. */
  async read(object: string, id: number): Promise<Surroundings | null> {
    const statement = this.statement(object, id);
    if (!statement) return null;
    const [rows] = await this.database.batch([statement]);
    return surroundingsOf(rows?.[0]);
  }

  /** The record, locked until the end of the unit of work, and the rows of statements that run after the lock. */
  async lock(
    object: string,
    id: number,
    then: readonly Statement[],
  ): Promise<{ around: Surroundings | null; rows: (string | null)[][][] }> {
    const statement = this.statement(object, id, true);
    if (!statement) return { around: null, rows: [] };
    const [found, ...rows] = await this.database.batch([statement, ...then]);
    return { around: surroundingsOf(found?.[0]), rows };
  }

  /** Statement whose row `surroundingsOf` understands; null when no resource has such records. */
  statement(object: string, id: number, locked = false): Statement | null {
    const key = `${object} ${locked}`;
    let text = this.texts.get(key);
    if (text === undefined) {
      const resource = allResources().find((each) => each.singular === object && each.column.has('custom_fields'));
      if (!resource) return null;
      text = recordText(resource, locked);
      this.texts.set(key, text);
    }
    return { text, values: [currentWorkspaceId(), id] };
  }
}

/** Reads the row of a `statement`. */
export function surroundingsOf(row: readonly (string | null)[] | undefined): Surroundings | null {
  const [version, record, company, category] = row ?? [];
  if (record === undefined || record === null) return null;
  const shown = (text: string | null | undefined): Shown | null => ownJson(text ?? 'null');
  return {
    version: Number(version),
    record: ownJson(record),
    company: shown(company),
    category: shown(category),
  };
}

function recordText(resource: Resource, locked: boolean): string {
  const neighbours = Object.entries(NEIGHBOURS).map(([name, target]) => {
    const neighbour = resourceIfAny(target);
    if (!neighbour || !resource.column.has(`${name}_id`)) return 'NULL';
    const columns = neighbour.columns.filter((column) => column.kind !== 'computed').map((column) => column.name);
    return `(SELECT row_to_json(n)::text FROM (SELECT ${selectList(neighbour, columns, 'x')} FROM ${neighbour.table} x WHERE x.workspace_id = $1 AND x.id = t.${name}_id) n)`;
  });
  const rows = `SELECT * FROM ${resource.table} WHERE workspace_id = $1 AND id = $2`;
  // The lock first, in a step of its own: what is shown then is the row that was locked.
  const source = locked ? `WITH held AS MATERIALIZED (${rows} FOR UPDATE)` : '';
  const list = selectList(resource, wholeSelection(resource).fields, 't');
  return `${source} SELECT t.version, row_to_json(r)::text, ${neighbours.join(', ')} FROM ${locked ? 'held' : `(${rows})`} t CROSS JOIN LATERAL (SELECT ${list}) r`;
}
