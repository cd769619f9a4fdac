import { setTimeout as sleep } from 'node:timers/promises';
import type { GateWorkspace } from './gate-workspaces';
import type { HookSink } from './hook-sink';
import { PersistentClient } from './persistent-client';

/** An endpoint and what it waits for. */
export interface ChaosEndpoint {
  workspaceId: number;
  path: string;
  events: string[];
  active: boolean;
}

/** What the endpoints of a workspace wait for; no event goes to two of them. */
const subscriptions = [
  ['ticket.created'],
  ['ticket.updated'],
  ['ticket.priority_changed', 'ticket.status_changed'],
  ['ticket.comment_added'],
  ['company.*'],
];
/** The receiver answers at once, and nothing is broken yet. */
const SETTLE_MS = 3_000;
/** Events that a round of writes makes at least. */
const EVENTS_PER_ROUND = 7;

/** Customers who write, and whose endpoints want to know. */
export class ChaosLoad {
  readonly endpoints: ChaosEndpoint[] = [];
  /** Names of the records whose creation was acknowledged. */
  readonly created = { tickets: new Set<string>(), companies: new Set<string>() };
  acknowledged = 0;
  private readonly clients: PersistentClient[];

  constructor(
    private readonly workspaces: readonly GateWorkspace[],
    private readonly sink: HookSink,
    urls: () => readonly string[],
  ) {
    this.clients = workspaces.map(({ token }) => new PersistentClient(urls, token));
  }

  get retries(): number {
    return this.clients.reduce((sum, { retries }) => sum + retries, 0);
  }

  /** Endpoints in every workspace: five that are active and one that was, which wants everything. */
  async subscribe(): Promise<void> {
    await Promise.all(
      this.workspaces.map(async ({ id }, index) => {
        for (const [n, events] of [...subscriptions, ['*']].entries()) {
          const path = `/w${id}/e${n}`;
          const active = n < subscriptions.length;
          const body = { url: this.sink.at(path), events };
          const made = await this.client(index).write('POST', '/webhooks', body, `hook-${id}-${n}`);
          this.sink.trust(path, (made as { id: number; secret?: string }).secret ?? '');
          if (!active) {
            await this.client(index).write('PATCH', `/webhooks/${made.id}`, { is_active: false }, `pause-${id}-${n}`);
          }
          this.endpoints.push({ workspaceId: id, path, events, active });
        }
      }),
    );
    // What those endpoints were sent while they were active does not count; what is on its way arrives or is cancelled.
    await sleep(SETTLE_MS);
    for (const { path, active } of this.endpoints) if (!active) this.sink.forget(path);
  }

  /**
   * Lets so many clients write until there are about so many events, evenly over the time.
   *
   * @param events at least so many come of it
   */
  async write(clients: number, events: number, durationMs: number): Promise<void> {
    const rounds = Math.ceil(events / EVENTS_PER_ROUND);
    const startedAt = Date.now();
    let next = 0;
    const writer = async (): Promise<void> => {
      for (let round = next++; round < rounds; round = next++) {
        const dueAt = startedAt + (round / rounds) * durationMs * 0.95;
        await sleep(Math.max(0, dueAt - Date.now()));
        await this.round(round);
      }
    };
    await Promise.all(Array.from({ length: clients }, writer));
  }

  /** A ticket, two changes and a comment, and a company: 7 events or more. */
  private async round(round: number): Promise<void> {
    const index = round % this.workspaces.length;
    const client = this.client(index);
    const key = (step: string): string => `round-${round}-${step}`;
    const write = async (method: 'POST' | 'PATCH', path: string, body: object, step: string): Promise<number> => {
      const { id } = await client.write(method, path, body, key(step));
      this.acknowledged++;
      return id;
    };
    const subject = `Ticket ${round}`;
    const ticket = await write(
      'POST',
      '/tickets',
      { subject, priority: 'low', description: 'x'.repeat(200) },
      'ticket',
    );
    this.created.tickets.add(subject);
    await write('PATCH', `/tickets/${ticket}`, { priority: 'high' }, 'high');
    await write('PATCH', `/tickets/${ticket}`, { priority: 'urgent' }, 'urgent');
    await write('POST', `/tickets/${ticket}/comments`, { body: `Comment ${round}` }, 'comment');
    const name = `Company ${round}`;
    await write('POST', '/companies', { name }, 'company');
    this.created.companies.add(name);
  }

  private client(index: number): PersistentClient {
    const client = this.clients[index];
    if (!client) throw new Error('No such workspace.');
    return client;
  }
}
