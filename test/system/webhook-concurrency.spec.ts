import { Client } from 'pg';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { useReceiver } from '../support/receiver';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { subscribe, type TestEndpoint } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
let workspace: TestWorkspace;
let endpoint: TestEndpoint;
let release: () => void;
/** Events whose attempt has been answered: one that lasts too long is given up before. */
let answered: Set<unknown>;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  endpoint = await subscribe(workspace, receiver.url, ['company.created']);
});

const settled = (): Promise<void> => drained(server, workspace);
const at = (path: string): string => `/webhooks/${endpoint.id}${path}`;
const company = async (name: string): Promise<unknown> =>
  (await workspace.api.post('/companies', { name })).expect(201).data.id;
const deliveries = async (query = ''): Promise<Fields[]> =>
  (await workspace.api.get(at(`/deliveries${query}`))).expect(200).rows;

/** From now on the receiver answers only once `release` is called. */
function hold(status: number): void {
  const released = new Promise<void>((resolve) => (release = resolve));
  answered = new Set();
  receiver.answer(async ({ headers }, response) => {
    await released;
    if (!response.destroyed) answered.add(headers['webhook-id']);
    return status;
  });
}

async function counts(): Promise<Record<string, number>> {
  const rows = await sql.rows<{ status: string; n: number }>(
    `SELECT status, count(*) AS n FROM webhook_deliveries WHERE workspace_id = $1 GROUP BY status`,
    [workspace.id],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

describe('an attempt under way', () => {
  it('is shown as delivering, and as what became of it although the endpoint was paused meanwhile', async () => {
    hold(200);
    await company('Slow');
    await until('the attempt is under way', () => receiver.requests.length === 1);
    expect((await deliveries('?status=delivering')).map(({ status }) => status)).toEqual(['delivering']);
    expect(await deliveries('?status=pending')).toEqual([]);
    (await workspace.api.patch(at(''), { is_active: false })).expect(200);
    release();
    await settled();
    expect((await deliveries())[0]).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('that fails after the pause is not tried again', async () => {
    hold(500);
    await company('Slow');
    await until('the attempt is under way', () => receiver.requests.length === 1);
    (await workspace.api.patch(at(''), { is_active: false })).expect(200);
    release();
    await settled();
    expect((await deliveries())[0]).toMatchObject({ status: 'cancelled', attempt: 1, response_status: 500 });
    expect(await sql.rows(`SELECT 1 FROM work WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  });

  it('that fails while the endpoint is being stopped is not tried again', async () => {
    hold(500);
    await company('Slow');
    await until('the attempt is under way', () => receiver.requests.length === 1);
    const stopping = new Client({ connectionString: testServices().adminUrl });
    await stopping.connect();
    try {
      await stopping.query('BEGIN');
      await stopping.query(`UPDATE webhooks SET is_active = false, status = 'paused' WHERE id = $1`, [endpoint.id]);
      const [{ pid }] = (await stopping.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`)).rows as [
        { pid: number },
      ];
      release();
      await until('the outcome waits for it', async () => {
        const waiting = await sql.rows(
          `SELECT 1 FROM pg_stat_activity WHERE $1::integer = ANY (pg_blocking_pids(pid))`,
          [pid],
        );
        return waiting.length > 0;
      });
      await stopping.query('COMMIT');
    } finally {
      await stopping.end();
    }
    await settled();
    expect((await deliveries())[0]).toMatchObject({ status: 'cancelled', attempt: 1, next_attempt_at: null });
    expect(await sql.rows(`SELECT 1 FROM work WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  });

  it('survives the deletion of its endpoint, which leaves nothing behind', async () => {
    hold(500);
    await company('Slow');
    await until('the attempt is under way', () => receiver.requests.length === 1);
    (await workspace.api.delete(at(''))).expect(200);
    release();
    await settled();
    let left: Fields[] = [];
    const isNothingLeft = async (): Promise<boolean> => {
      left = await sql.rows(
        `SELECT to_jsonb(d) AS row FROM webhook_deliveries d WHERE workspace_id = $1
         UNION ALL SELECT to_jsonb(w) FROM work w WHERE workspace_id = $1`,
        [workspace.id],
      );
      return left.length === 0;
    };
    await until('nothing is left', isNothingLeft).catch((error: unknown) => {
      throw new Error(`${(error as Error).message} There is ${JSON.stringify(left)}.`);
    });
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('many attempts at once', () => {
  it('that all say 410 deactivate the endpoint once, and nothing begins afterwards', async () => {
    hold(410);
    await Promise.all(Array.from({ length: 60 }, (_, index) => company(`Company ${index}`)));
    await until('several are under way', () => receiver.requests.length >= 10);
    // An event that is looked at only after the deactivation is none for this endpoint.
    await until('each event is a delivery', async () => {
      const known = Object.values(await counts()).reduce((sum, each) => sum + each, 0);
      return known === 60;
    });
    release();
    await settled();
    // A copy that another application of the test run began before it ended counts as the same attempt.
    const seen = new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size;
    const sent = receiver.requests.length;
    const { failed = 0, cancelled = 0, ...rest } = await counts();
    expect(rest).toEqual({});
    expect(failed + cancelled).toBe(60);
    // One that was answered just as it was given up is cancelled.
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThanOrEqual(answered.size);
    const [made] = await sql.rows<{ attempts: number }>(
      `SELECT sum(attempt)::integer AS attempts FROM webhook_deliveries WHERE workspace_id = $1`,
      [workspace.id],
    );
    expect(made?.attempts).toBe(seen);
    const told = await sql.rows(`SELECT 1 FROM events WHERE workspace_id = $1 AND type = 'webhook.deactivated'`, [
      workspace.id,
    ]);
    expect(told).toHaveLength(1);
    await company('Afterwards');
    await settled();
    expect(receiver.requests).toHaveLength(sent);
  });

  it('are all recorded, each once', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => company(`Company ${index}`)));
    await settled();
    // On a busy machine one may be given up before it is answered: that is an attempt, too.
    const { succeeded = 0, retrying = 0, ...rest } = await counts();
    expect([succeeded + retrying, rest]).toEqual([100, {}]);
    expect(succeeded).toBeGreaterThan(50);
    const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBeGreaterThanOrEqual(succeeded);
    const [made] = await sql.rows<{ attempts: number }>(
      `SELECT sum(attempt)::integer AS attempts FROM webhook_deliveries WHERE workspace_id = $1`,
      [workspace.id],
    );
    expect(made?.attempts).toBe(100);
    const shown = (await workspace.api.get(at(''))).data;
    expect(shown.last_success_at).toEqual(expect.any(String));
    if (retrying === 0) expect(shown).toMatchObject({ failure_count: 0, last_failure_at: null });
  });
});

it('cancels thousands of waiting deliveries, bit by bit, without sending any', async () => {
  await sql.rows(
    `WITH d AS (
       INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event, status)
       SELECT $1, $2, -g, 'evt_' || g, 'company.created', 'retrying' FROM generate_series(1, 12000) g RETURNING id)
     INSERT INTO work (workspace_id, kind, subject_id, lane, due_at)
     SELECT $1, 'webhook_delivery', id, $2, now() + interval '1 hour' FROM d`,
    [workspace.id, endpoint.id],
  );
  (await workspace.api.patch(at(''), { is_active: false })).expect(200);
  await settled();
  expect(await counts()).toEqual({ cancelled: 12_000 });
  expect(await sql.rows(`SELECT 1 FROM work WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  expect(receiver.requests).toEqual([]);
});
