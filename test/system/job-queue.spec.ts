import { current } from '../../src/platform/context/current';
import { Database } from '../../src/platform/database/database';
import type { Job } from '../../src/platform/queue/job-handler';
import { JobQueue } from '../../src/platform/queue/job-queue';
import { startApp } from '../support/app';
import { notePauses, pausesOf } from '../support/pauses';
import { until } from '../support/until';
import { drained, runJob } from '../support/jobs';
import { useJobNodes } from '../support/job-nodes';
import { addJobs, handlerModule } from '../support/job-probe';

const nodes = useJobNodes();

describe('jobs', () => {
  it('is done once, in its workspace, by the system', async () => {
    let seen: unknown;
    nodes.perform = () => {
      const { workspaceId, actor, transaction } = current();
      seen = { workspaceId, actor: actor.type, transaction };
      return undefined;
    };
    await addJobs(nodes.first, nodes.workspace.id, [{ kind: nodes.kind, subject_id: 7, group_id: 3 }]);
    await drained(nodes.first);
    const job = {
      id: expect.any(Number) as number,
      workspace_id: nodes.workspace.id,
      kind: nodes.kind,
      subject_id: 7,
      group_id: 3,
      attempt: 1,
    };
    expect(nodes.attempts.map((each) => each.job)).toEqual([job]);
    expect(seen).toEqual({ workspaceId: nodes.workspace.id, actor: 'system', transaction: null });
    expect(await nodes.rows()).toEqual([]);
  });

  it('is shared by the nodes, each job done once', async () => {
    nodes.perform = async () => {
      await until('both nodes have begun', () => new Set(nodes.attempts.map(({ server }) => server)).size === 2);
      return undefined;
    };
    await nodes.add(400);
    await drained(nodes.first);
    const subjects = nodes.attempts.map(({ job }) => job.subject_id).sort((one, other) => one - other);
    expect(subjects).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
    expect(new Set(nodes.attempts.map(({ server }) => server))).toEqual(new Set([0, 1]));
  });

  it('waits where a node makes as many attempts as it can at once, and all of it is done in the end', async () => {
    const releases: (() => void)[] = [];
    const running = [0, 0];
    const most = [0, 0];
    let hangs = true;
    nodes.perform = async () => {
      const server = nodes.attempts.at(-1)?.server ?? 0;
      most[server] = Math.max(most[server] ?? 0, (running[server] = (running[server] ?? 0) + 1));
      if (hangs) await new Promise<void>((resolve) => releases.push(resolve));
      running[server] = (running[server] ?? 0) - 1;
      return undefined;
    };
    await nodes.add(450);
    await until('both nodes are full', () => releases.length === 400);
    expect(most).toEqual([200, 200]);
    hangs = false;
    for (const release of releases) release();
    await drained(nodes.first);
    expect(new Set(nodes.attempts.map(({ job }) => job.subject_id)).size).toBe(450);
    expect([nodes.attempts.length, ...most]).toEqual([450, 200, 200]);
  });

  it('is not done when the unit of work that added it is rolled back', async () => {
    const database = nodes.first.app.get(Database);
    const failing = database.inWorkspace(nodes.workspace.id, { type: 'system', id: null, name: 'test' }, () =>
      database.transaction(async () => {
        await nodes.first.app.get(JobQueue).add([{ kind: nodes.kind, subject_id: 1 }]);
        throw new Error('as asked');
      }),
    );
    await expect(failing).rejects.toThrow('as asked');
    await nodes.add(1);
    await drained(nodes.first);
    expect(nodes.attempts).toHaveLength(1);
  });

  it('begins when it is due', async () => {
    let begun = 0;
    nodes.perform = () => {
      begun = Date.now();
      return undefined;
    };
    const far = new Date(Date.now() + 3_600_000).toISOString();
    await addJobs(nodes.first, nodes.workspace.id, [{ kind: nodes.kind, subject_id: 1, due_at: far }]);
    expect(await nodes.rows()).toMatchObject([{ state: 'scheduled', enqueued_at: null }]);
    const [moved] = await nodes.system<{ due_at: string }>(
      `UPDATE work SET due_at = now() + interval '500 ms' WHERE workspace_id = $1 RETURNING due_at`,
      [nodes.workspace.id],
    );
    const due = Date.parse(moved!.due_at);
    await until('it was done', () => begun > 0);
    expect(begun).toBeGreaterThanOrEqual(due - 5);
  });

  it('of a kind that no node knows waits for one that does', async () => {
    await addJobs(nodes.first, nodes.workspace.id, [{ kind: 'probe-of-later', subject_id: 1 }]);
    await nodes.add(1);
    // It goes a moment after it was begun.
    await until('the known job is done', async () => nodes.attempts.length === 1 && (await nodes.rows()).length === 1);
    expect(await nodes.rows()).toMatchObject([{ state: 'waiting', attempt: 1, error: null }]);
    const done: Job[] = [];
    const newer = await startApp(
      { databaseUrl: nodes.scratch.serviceUrl },
      { modules: [handlerModule('probe-of-later', (job) => void done.push(job))] },
    );
    try {
      await until('the newer node did it', () => done.length === 1);
      await drained(newer, nodes.workspace);
    } finally {
      await newer.close();
    }
  });
});

describe('an outcome', () => {
  it('is recorded in the transaction that ends the job', async () => {
    nodes.perform = () => ({
      settle: async () => {
        const database = nodes.first.app.get(Database);
        const [row] = await database.query<{ left: number; workspace: string }>(
          `SELECT count(*) AS left, current_setting('app.workspace_id') AS workspace FROM work`,
        );
        nodes.attempts.push({ server: row!.left, job: { workspace_id: Number(row!.workspace) } as Job });
      },
    });
    await nodes.add(1);
    await drained(nodes.first);
    expect(nodes.attempts[1]).toEqual({ server: 0, job: { workspace_id: nodes.workspace.id } });
  });

  it('may ask for another attempt', async () => {
    nodes.perform = ({ attempt }) =>
      attempt < 3 ? { retryInMs: attempt * 60_000, settle: () => Promise.resolve() } : undefined;
    await nodes.add(1);
    for (const attempt of [1, 2]) {
      await until(`attempt ${attempt} ended`, async () => (await nodes.rows())[0]?.attempt === attempt + 1);
      const [row] = await nodes.rows();
      expect(row).toMatchObject({ state: 'scheduled', failures: 0, enqueued_at: null, lease_until: null });
      // However late the test looks: the other pause is a minute away.
      expect(row!.due_in).toBeGreaterThan((attempt - 1) * 60);
      expect(row!.due_in).toBeLessThanOrEqual(attempt * 60);
      await nodes.dueNow();
    }
    await drained(nodes.first);
    expect(nodes.attempts.map(({ job }) => job.attempt)).toEqual([1, 2, 3]);
  });

  it('that cannot be recorded is a failed attempt, and leaves nothing behind', async () => {
    nodes.perform = () => ({
      settle: async () => {
        const database = nodes.first.app.get(Database);
        await database.query(`UPDATE workspaces SET locale = 'xx' WHERE id = $1`, [nodes.workspace.id]);
        throw new Error('cannot be recorded');
      },
    });
    await nodes.add(1);
    await until('it failed', async () => (await nodes.rows())[0]?.failures === 1);
    expect(await nodes.rows()).toMatchObject([
      { attempt: 1, error: expect.stringContaining('cannot be recorded') as string },
    ]);
    expect(await nodes.system('SELECT locale FROM workspaces WHERE id = $1', [nodes.workspace.id])).not.toEqual([
      { locale: 'xx' },
    ]);
  });
});

describe('an error', () => {
  it('is followed by later and later attempts, then the job is dead', async () => {
    nodes.perform = () => {
      throw new Error('as asked');
    };
    await notePauses(nodes.scratch.url, 'work', 'due_at');
    await nodes.add(1);
    const error = expect.stringContaining('as asked') as string;
    const pauses = await pausesOf(nodes.scratch.url, nodes.workspace.id, 5, async () => {
      expect(await nodes.rows()).toMatchObject([{ attempt: 1, error }]);
      await nodes.dueNow();
    });
    expect(pauses).toEqual([5, 30, 120, 600, 3600]);
    expect(await nodes.rows()).toMatchObject([{ state: 'scheduled', attempt: 1, error }]);
    await nodes.dueNow();
    await until('it was given up', async () => (await nodes.rows())[0]?.state === 'dead');
    expect(nodes.attempts).toHaveLength(6);
    expect(await nodes.rows()).toMatchObject([{ state: 'dead', failures: 6, enqueued_at: null, lease_until: null }]);
  });

  it('is forgotten after an attempt that ended as it should', async () => {
    nodes.perform = ({ attempt }) => {
      if (nodes.attempts.length === 1) throw new Error('once');
      return attempt === 1 ? { retryInMs: 3_600_000 } : undefined;
    };
    await nodes.add(1);
    await until('it failed', async () => (await nodes.rows())[0]?.failures === 1);
    await nodes.dueNow();
    await until('it was put off', async () => (await nodes.rows())[0]?.attempt === 2);
    expect(await nodes.rows()).toMatchObject([{ failures: 0, error: null }]);
  });
});

describe('dead jobs', () => {
  /** Jobs of a kind, in a state, that were due so many days ago. */
  async function old(kind: string, state: string, days: number, subject: number): Promise<void> {
    await nodes.system(
      `INSERT INTO work (workspace_id, kind, subject_id, state, due_at) VALUES ($1, $2, $5, $3, now() - $4 * interval '1 day')`,
      [nodes.workspace.id, kind, state, days, subject],
    );
  }

  async function passes(): Promise<number[]> {
    const rows = await nodes.system<{ id: number }>(
      'SELECT id FROM automation_passes WHERE workspace_id = $1 ORDER BY id',
      [nodes.workspace.id],
    );
    return rows.map(({ id }) => id);
  }

  it('is forgotten after 30 days with what was there for nothing else, and no other jobs are', async () => {
    await old('probe-of-nobody', 'dead', 31, 1);
    await old('probe-of-nobody', 'dead', 29, 2);
    await old('probe-of-nobody', 'waiting', 31, 3);
    const made = await nodes.system<{ id: number }>(
      `INSERT INTO automation_passes (workspace_id, event, object, object_id)
       SELECT $1, 'ticket.created', 'ticket', n FROM generate_series(1, 3) AS n RETURNING id`,
      [nodes.workspace.id],
    );
    const [first = 0, second = 0, third = 0] = made.map(({ id }) => id);
    await old('automation_pass', 'dead', 31, first);
    await old('automation_pass', 'dead', 29, second);
    // The same number, but another kind: the third pass is none of its business.
    await old('probe-of-nobody', 'dead', 31, third);
    await runJob(nodes.first, 'prune-dead-jobs');
    const left = await nodes.system<{ kind: string; subject_id: number }>(
      'SELECT kind, subject_id FROM work WHERE workspace_id = $1 ORDER BY id',
      [nodes.workspace.id],
    );
    expect(left).toEqual([
      { kind: 'probe-of-nobody', subject_id: 2 },
      { kind: 'probe-of-nobody', subject_id: 3 },
      { kind: 'automation_pass', subject_id: second },
    ]);
    expect(await passes()).toEqual([second, third]);
  });
});
