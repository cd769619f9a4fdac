import { Database } from '../../src/platform/database/database';
import { startApp } from '../support/app';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { useJobNodes } from '../support/job-nodes';
import { addJobs, handlerModule } from '../support/job-probe';

const nodes = useJobNodes();

describe('a claim', () => {
  it('that was taken over settles nothing', async () => {
    let release: () => void = () => undefined;
    const settled: number[] = [];
    nodes.perform = async () => {
      const number = nodes.attempts.length;
      if (number === 1) await new Promise<void>((resolve) => (release = resolve));
      return { settle: () => Promise.resolve(void settled.push(number)) };
    };
    await nodes.add(1);
    await until('the first attempt runs', () => nodes.attempts.length === 1);
    await nodes.system(`UPDATE work SET lease_until = now() - interval '1 second' WHERE workspace_id = $1`, [
      nodes.workspace.id,
    ]);
    // What is settled is committed a moment later.
    await until('the second attempt has settled', async () => (await nodes.rows()).length === 0);
    expect(settled).toEqual([2]);
    release();
    await nodes.add(1);
    await drained(nodes.first);
    expect(settled).toEqual([2, 3]);
    expect(nodes.attempts.map(({ job }) => job.attempt)).toEqual([1, 1, 1]);
  });

  it('that is running elsewhere now cannot be settled either', async () => {
    const releases: (() => void)[] = [];
    const settled: number[] = [];
    nodes.perform = async () => {
      const number = nodes.attempts.length;
      await new Promise<void>((resolve) => releases.push(resolve));
      return { settle: () => Promise.resolve(void settled.push(number)) };
    };
    await nodes.add(1);
    await until('the first attempt runs', () => releases.length === 1);
    await nodes.system(`UPDATE work SET lease_until = now() - interval '1 second' WHERE workspace_id = $1`, [
      nodes.workspace.id,
    ]);
    await until('the second attempt runs', () => releases.length === 2);
    releases[0]!();
    // The late one has had its say once another job is through.
    await nodes.add(1);
    await until('another job runs', () => releases.length === 3);
    releases[2]!();
    await until('the other job is done', async () => (await nodes.rows()).length === 1);
    expect([settled, (await nodes.rows()).map(({ state }) => state)]).toEqual([[3], ['running']]);
    releases[1]!();
    await drained(nodes.first);
    expect(settled).toEqual([3, 2]);
  });

  it('holds for as long as its node gives signs of life, and no longer', async () => {
    const kind = 'lively';
    const heldMs = 400;
    let begun = 0;
    let release: () => void = () => undefined;
    const perform = async (): Promise<undefined> => {
      if (++begun === 1) await new Promise<void>((resolve) => (release = resolve));
      return undefined;
    };
    const probe = handlerModule(kind, perform, { heldMs });
    const server = await startApp({ databaseUrl: nodes.scratch.serviceUrl }, { modules: [probe] });
    const lease = async (): Promise<string | null> => (await nodes.rows())[0]?.lease_until ?? null;
    try {
      await addJobs(server, nodes.workspace.id, [{ kind, subject_id: 1 }]);
      await until('the attempt runs', () => begun === 1);
      const first = await lease();
      await until('the claim was renewed', async () => (await lease()) !== first);
      // Whoever has lost it renews it no more.
      await nodes.system(
        `UPDATE work SET epoch = epoch + 1, lease_until = now() - interval '1 second' WHERE kind = $1`,
        [kind],
      );
      await until('another attempt was made', () => begun === 2);
      await until('it is done', async () => (await nodes.rows()).length === 0);
    } finally {
      release();
      await server.close();
    }
    expect(begun).toBe(2);
  });

  it('is asked for again when the job was lost between nodes', async () => {
    const database = nodes.first.app.get(Database);
    await database.system(() =>
      database.query(
        `INSERT INTO work (workspace_id, kind, subject_id, enqueued_at) VALUES ($1, $2, 1, now() - interval '11 seconds')`,
        [nodes.workspace.id, nodes.kind],
      ),
    );
    await drained(nodes.first);
    expect(nodes.attempts).toHaveLength(1);
  });
});

describe('closing a node', () => {
  it('waits for attempts that end soon and gives back those that do not', async () => {
    let release: () => void = () => undefined;
    const own = 'probe-of-closing';
    const begun: number[] = [];
    const module = handlerModule(own, async ({ subject_id }) => {
      begun.push(subject_id);
      if (subject_id === 1) await new Promise((resolve) => setTimeout(resolve, 300));
      else await new Promise<void>((resolve) => (release = resolve));
      return undefined;
    });
    const node = await startApp({ databaseUrl: nodes.scratch.serviceUrl }, { modules: [module] });
    await addJobs(
      node,
      nodes.workspace.id,
      [1, 2].map((subject_id) => ({ kind: own, subject_id })),
    );
    await until('both run', () => begun.length === 2);
    await node.close();
    expect(await nodes.rows()).toMatchObject([{ state: 'waiting', enqueued_at: null, lease_until: null, attempt: 1 }]);
    release();
  });
});
