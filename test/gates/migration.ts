import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { Api, type Fields } from '../support/api';
import { rowsOf } from '../support/counted-rows';
import { patience } from '../support/machine';
import type { Sql } from '../support/sql';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces, type GateWorkspace } from './support/gate-workspaces';
import { bigFile } from './support/migration-big-file';
import { filePath, oldTables, type OldTables } from './support/migration-tables';
import { cpuBelow } from './support/processes';
import { type Check, type Findings, say } from './support/verdict';

/** A job that moves no further for so long never will. */
const STILL_MS = 120_000;
const MOVING = ['validating', 'running', 'rolling_back'];
const OPTIONS = { create_missing: ['categories'] };

/**
 * `npm run gate -- migration [--corpus tickets.csv.gz --tickets 38000 --kills 20 --megabytes 100]`: tickets with comments come in from
 * tables, undisturbed and with a worker that is killed over and over: the same records. Malformed rows cost themselves alone, a second run
 * changes nothing, taking it back leaves no trace, and a large attachment streams. Texts are made up unless a corpus is named.
 */
export async function migration(args: readonly string[]): Promise<Findings> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      corpus: text,
      tickets: { ...text, default: '38000' },
      kills: { ...text, default: '20' },
      megabytes: { ...text, default: '100' },
    },
  });
  const [tickets, kills, megabytes] = [Number(values.tickets), Number(values.kills), Number(values.megabytes)];
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const services = await GateServices.start(dataDir, say);
  const env = {
    ...gateEnvironment(services.urls, dataDir),
    MIGRATION_ALLOW_CIDRS: '127.0.0.1/32',
    ATTACHMENT_MAX_MB: String(megabytes + 1),
  };
  const fleet = new Fleet(env, join(dataDir, 'fleet.log'));
  const client = new Client({ connectionString: services.databaseUrl });
  try {
    await client.connect();
    const sql: Sql = {
      rows: async <R extends object>(query: string, given: readonly unknown[] = []) =>
        (await client.query<R & QueryResultRow>(query, [...given])).rows,
    };
    const [quiet, killed, other] = await createWorkspaces(services.databaseUrl, dataDir, 3);
    if (!quiet || !killed || !other) throw new Error('No workspaces were made.');
    await fleet.start(['api', 'worker']);
    const tables = oldTables(dataDir, values.corpus, tickets);
    const world = new World(sql, fleet, tables);
    const big = await bigFile({ api: world.api(other), pid: () => fleet.pids[1] ?? 0, megabytes, sql });
    const before = await rowsOf(sql, quiet);
    say(`${tickets} tickets, undisturbed.`);
    const lists = await world.lists(other, 100);
    const first = await world.bringIn(quiet, { beside: other });
    say(`${tickets} tickets, ${kills} kills.`);
    const second = await world.bringIn(killed, { kills });
    const [one, two] = [await world.records(quiet), await world.records(killed)];
    say('The same once more.');
    const after = await rowsOf(sql, quiet);
    const again = await world.bringIn(quiet, {});
    const [same, changed] = [await world.records(quiet), differences(after, await rowsOf(sql, quiet))];
    say('All of it back.');
    await world.takeBack(quiet, again.id);
    const backSeconds = await world.takeBack(quiet, first.id);
    const traces = differences(before, await rowsOf(sql, quiet));
    const expected = tables.malformed + tables.orphans;
    const p95 = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.95)] ?? 0;
    const checks: Check[] = [
      { name: 'records that differ after kills', value: one === two ? 0 : 1, target: { most: 0 } },
      { name: 'failures beyond the malformed rows', value: Math.abs(first.failed - expected), target: { most: 0 } },
      { name: 'the same after kills', value: Math.abs(second.failed - expected), target: { most: 0 } },
      { name: 'records that a second run made or changed', value: again.created + again.updated, target: { most: 0 } },
      { name: 'tables that a second run changed', value: changed.length + (same === one ? 0 : 1), target: { most: 0 } },
      { name: 'tables with traces after taking it back', value: traces.length, target: { most: 0 } },
      { name: 'kills', value: second.kills, target: { least: kills } },
      ...big.checks,
      {
        name: 'seconds for the import',
        value: first.seconds,
        target: { most: Math.ceil((90 * tickets) / 38_000) },
        timed: true,
      },
      {
        name: 'p95 of a list of another workspace, times that before',
        value: Math.round((p95(first.lists) / p95(lists)) * 100) / 100,
        target: { most: 3 },
        timed: true,
      },
    ];
    const facts = {
      ...{
        tickets,
        comments: tables.comments,
        malformed: tables.malformed,
        orphans: tables.orphans,
        kills: second.kills,
      },
      ...{
        import_seconds: first.seconds,
        checked_seconds: first.checkedSeconds,
        cpu: first.cpu,
        killed_seconds: second.seconds,
      },
      ...{
        again_seconds: again.seconds,
        back_seconds: backSeconds,
        traces,
        changed,
        corpus: values.corpus !== undefined,
      },
      ...{
        p95_before_ms: Math.round(p95(lists)),
        p95_meanwhile_ms: Math.round(p95(first.lists)),
        load: loadavg().map((load) => Math.round(load * 10) / 10),
      },
      ...big.facts,
    };
    return { checks, facts };
  } finally {
    await client.end();
    await fleet.stop();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** How it went. */
interface Came {
  id: number;
  created: number;
  updated: number;
  failed: number;
  kills: number;
  seconds: number;
  checkedSeconds: number;
  /** CPU seconds of the import. */
  cpu: { node: number; postgres: number };
  /** Milliseconds of lists of another workspace meanwhile. */
  lists: number[];
}

/** The service, and the old desk. */
class World {
  constructor(
    private readonly sql: Sql,
    private readonly fleet: Fleet,
    private readonly tables: OldTables,
  ) {}

  api({ token }: GateWorkspace): Api {
    return new Api(this.fleet.urls[0] ?? '', token);
  }

  /** A whole migration. @param beside whose lists are read meanwhile */
  async bringIn(
    workspace: GateWorkspace,
    { beside, kills = 0 }: { beside?: GateWorkspace; kills?: number },
  ): Promise<Came> {
    const api = this.api(workspace);
    const { id } = (await api.post('/migration/jobs', { source: 'csv', mode: 'import', options: OPTIONS })).expect(
      201,
    ).data;
    for (const [entity, file] of Object.entries(this.tables.files))
      (await api.post(filePath(id, entity), readFileSync(file), { 'content-type': 'application/octet-stream' })).expect(
        200,
      );
    const begun = performance.now();
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    const checked = await this.settled(api, id);
    const mapping = checked.mapping as { tickets: { values: Record<string, object> } };
    // None is resolved: those that were so for days are closed by the rule of the workspace, which is a change of theirs.
    const status = { New: 'open', Open: 'in_progress', Waiting: 'on_hold', Solved: 'closed', Closed: 'closed' };
    Object.assign(mapping.tickets.values, { status });
    (await api.patch(`/migration/jobs/${id}`, { mapping })).expect(200);
    (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
    await this.settled(api, id);
    const [started, cpu] = [performance.now(), cpuBelow(process.pid)];
    (await api.post(`/migration/jobs/${id}/start`)).expect(200);
    const lists: number[] = [];
    const done = await this.settled(api, id, async (now, died) => {
      if (beside) lists.push(...(await this.lists(beside, 3)));
      const { processed, total } = now.progress as { processed: number; total: number };
      return died < kills && processed >= ((died + 1) * total) / (kills + 2);
    });
    const [end, used] = [performance.now(), cpuBelow(process.pid)];
    if (!String(done.status).startsWith('completed'))
      throw new Error(`It ended ${String(done.status)}: ${String(done.last_error)}`);
    const { created, updated, failed } = done.progress as Came;
    return {
      ...{ id, created, updated, failed, lists, kills: this.died },
      seconds: Math.round((end - started) / 100) / 10,
      checkedSeconds: Math.round((started - begun) / 100) / 10,
      cpu: { node: Math.round(used.node - cpu.node), postgres: Math.round(used.postgres - cpu.postgres) },
    };
  }

  async takeBack(workspace: GateWorkspace, id: number): Promise<number> {
    const api = this.api(workspace);
    const begun = performance.now();
    (await api.post(`/migration/jobs/${id}/rollback`)).expect(200);
    await this.settled(api, id);
    return Math.round((performance.now() - begun) / 100) / 10;
  }

  /** How long each of so many lists takes, in ms. */
  async lists(workspace: GateWorkspace, times: number): Promise<number[]> {
    const api = this.api(workspace);
    const all: number[] = [];
    while (all.length < times) {
      const began = performance.now();
      (await api.get('/tickets?status=open&per_page=25')).expect(200);
      all.push(performance.now() - began);
    }
    return all;
  }

  /** A digest of everything that came in, without ids and numbers of this desk. */
  async records({ id }: GateWorkspace): Promise<string> {
    const [row] = await this.sql.rows<{ digest: string }>(RECORDS, [id]);
    return row?.digest ?? '';
  }

  private died = 0;

  /** The job once it is at rest. @param isTime whether the worker is to die now */
  private async settled(
    api: Api,
    id: number,
    isTime?: (now: Fields, died: number) => Promise<boolean>,
  ): Promise<Fields> {
    this.died = 0;
    let [moved, movedAt] = ['', performance.now()];
    for (;;) {
      const now = (await api.get(`/migration/jobs/${id}`)).expect(200).data;
      if (!MOVING.includes(String(now.status))) return now;
      const [{ place } = { place: '' }] = await this.sql.rows<{ place: string }>(TOUCHED);
      if (place !== moved) [moved, movedAt] = [place, performance.now()];
      else if (performance.now() - movedAt > patience(STILL_MS))
        throw new Error(
          `Job ${id} stands still since ${place}: ${JSON.stringify([now.status, now.progress, now.last_error])}`,
        );
      if (await isTime?.(now, this.died)) await this.kill();
      else await sleep(100);
    }
  }

  /** A worker dies in the middle of whatever it does; its lease is made to end at once, which takes fifteen seconds otherwise. */
  private async kill(): Promise<void> {
    // It may have died a moment ago, and be on its way again.
    this.died += this.fleet.killWorkers();
    await sleep(200);
    await this.sql.rows(
      `UPDATE work SET lease_until = now() - interval '1 second' WHERE kind = 'migration' AND state = 'running'`,
    );
  }
}

/** Tables whose counts are others. */
function differences(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => Number(before[name]) !== Number(after[name]));
}

const TOUCHED = 'SELECT max(touched_at)::text AS place FROM migration_jobs';

const RECORDS = `
  SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS digest FROM (
    SELECT concat_ws('|', 't', t.external_id, t.subject, md5(t.description), t.status, t.priority, t.requester_email, c.name, k.email, t.created_at, t.updated_at,
      t.resolved_at, t.closed_at, t.comment_count, t.reply_count, t.custom_fields, t.version) AS line
    FROM tickets t LEFT JOIN categories c ON c.workspace_id = t.workspace_id AND c.id = t.category_id
      LEFT JOIN contacts k ON k.workspace_id = t.workspace_id AND k.id = t.contact_id WHERE t.workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'm', m.external_id, t.external_id, m.body, m.author_type, m.author_email, m.created_at)
    FROM ticket_comments m JOIN tickets t ON t.workspace_id = m.workspace_id AND t.id = m.ticket_id WHERE m.workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'k', external_id, name, email) FROM contacts WHERE workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'c', name, position) FROM categories WHERE workspace_id = $1
    UNION ALL SELECT concat_ws('|', 'r', r.entity, r.external_id, r.status, r.line, r.error, r.warnings) FROM migration_records r WHERE r.workspace_id = $1
      AND r.job_id = (SELECT min(id) FROM migration_jobs WHERE workspace_id = $1)) x`;
