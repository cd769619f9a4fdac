import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { currentSight } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import type { Query } from '../../../platform/postgres/statement-batch';
import { allResources, type Resource, resourceIfAny, selectList } from '../../../platform/resource/resource';
import { isReadable } from '../../../platform/resource/read/sight';
import { wholeSelection } from '../../../platform/resource/read/selection';
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
    return (await this.database.read(statement))[0] ?? null;
  }

  /** The record, locked until the end of the unit of work, and the row of a statement that runs after the lock. */
  async lock<Row extends object>(
    object: string,
    id: number,
    then: Query<Row> | null,
  ): Promise<{ around: Surroundings | null; row: Row | undefined }> {
    const around = this.statement(object, id, true);
    if (!around) return { around: null, row: undefined };
    if (!then) return { around: (await this.database.read(around))[0] ?? null, row: undefined };
    const found = await this.database.batch({ around, rows: then });
    return { around: found.around[0] ?? null, row: found.rows[0] };
  }

  /** What whoever is asking may read of it: not the neighbours that their role hides. */
  readable(around: Surroundings): Surroundings {
    const sight = currentSight();
    const hidden = Object.entries(NEIGHBOURS).filter(([, name]) => {
      const resource = resourceIfAny(name);
      return resource !== undefined && !isReadable(resource, sight);
    });
    return { ...around, ...Object.fromEntries(hidden.map(([name]) => [name, null])) };
  }

  /** Statement that reads it; null when no resource has such records. */
  statement(object: string, id: number, locked = false): Query<Surroundings> | null {
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

function recordText(resource: Resource, locked: boolean): string {
  const neighbours = Object.entries(NEIGHBOURS).map(([name, target]) => {
    const neighbour = resourceIfAny(target);
    if (!neighbour || !resource.column.has(`${name}_id`)) return `NULL AS ${name}`;
    const columns = neighbour.columns.filter((column) => column.kind !== 'computed').map((column) => column.name);
    return `(SELECT row_to_json(n) FROM (SELECT ${selectList(neighbour, columns, 'x')} FROM ${neighbour.table} x WHERE x.workspace_id = $1 AND x.id = t.${name}_id) n) AS ${name}`;
  });
  const rows = `SELECT * FROM ${resource.table} WHERE workspace_id = $1 AND id = $2`;
  // The lock first, in a step of its own: what is shown then is the row that was locked.
  const source = locked ? `WITH held AS MATERIALIZED (${rows} FOR UPDATE)` : '';
  const list = selectList(resource, wholeSelection(resource).fields, 't');
  return `${source} SELECT t.version, row_to_json(r) AS record, ${neighbours.join(', ')} FROM ${locked ? 'held' : `(${rows})`} t CROSS JOIN LATERAL (SELECT ${list}) r`;
}
