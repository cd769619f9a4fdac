import { Database } from '../../src/platform/database/database';
import type { Job, JobOutcome } from '../../src/platform/queue/job-handler';
import { startApp, type TestApp } from './app';
import { scratchDatabase, type ScratchDatabase } from './scratch-database';
import { timePasses } from './jobs';
import { addJobs, handlerModule } from './job-probe';
import { makeWorkspace, type TestWorkspace } from './workspace';

/** A row of the table of jobs; `due_in` in seconds. */
export interface JobRow {
  id: number;
  state: string;
  attempt: number;
  failures: number;
  error: string | null;
  enqueued_at: string | null;
  lease_until: string | null;
  due_in: number;
}

/** Two nodes on a database of their own, and a workspace per test. */
export class JobNodes {
  readonly kind = 'probe';
  readonly servers: TestApp[] = [];
  scratch!: ScratchDatabase;
  workspace!: TestWorkspace;
  /** What was begun, by which node. */
  attempts: { server: number; job: Job }[] = [];
  /** What the jobs of a test consist of. */
  perform: (job: Job) => Promise<JobOutcome | undefined> | JobOutcome | undefined = () => undefined;

  get first(): TestApp {
    const [server] = this.servers;
    if (!server) throw new Error('The nodes are not running.');
    return server;
  }

  async start(): Promise<void> {
    this.scratch = await scratchDatabase({ migrated: true });
    for (const server of [0, 1]) {
      const probe = handlerModule(this.kind, (job) => {
        // What an earlier test left behind is none of this one's attempts.
        if (job.workspace_id !== this.workspace.id) return undefined;
        this.attempts.push({ server, job });
        return this.perform(job);
      });
      this.servers.push(await startApp({ databaseUrl: this.scratch.serviceUrl }, { modules: [probe] }));
    }
  }

  async reset(): Promise<void> {
    this.workspace = await makeWorkspace(this.first);
    this.attempts = [];
    this.perform = () => undefined;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.close();
    await this.scratch.drop();
  }

  /** A statement of the platform. */
  system<R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const database = this.first.app.get(Database);
    return database.system(() => database.query<R>(text, values));
  }

  /** What is left of the workspace's jobs. */
  rows(): Promise<JobRow[]> {
    return this.system<JobRow>(
      `SELECT *, round(extract(epoch FROM due_at - now()))::integer AS due_in FROM work WHERE workspace_id = $1 ORDER BY id`,
      [this.workspace.id],
    );
  }

  add(count: number): Promise<void> {
    const jobs = Array.from({ length: count }, (_, index) => ({ kind: this.kind, subject_id: index + 1 }));
    return addJobs(this.first, this.workspace.id, jobs);
  }

  /** Lets what is due later be due now. */
  dueNow(): Promise<void> {
    return timePasses(this.first, this.workspace);
  }
}

/** The nodes for the tests of a file. */
export function useJobNodes(): JobNodes {
  const nodes = new JobNodes();
  beforeAll(() => nodes.start());
  beforeEach(() => nodes.reset());
  afterAll(() => nodes.stop());
  return nodes;
}
