import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { openSession } from '../../src/cli/session';
import { Api } from '../support/api';
import { apiChannel, inboundAddress, tell } from '../support/channels';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces, type GateWorkspace } from './support/gate-workspaces';
import { type Findings, say } from './support/verdict';

const DEFAULTS = { messages: 10_000, conversations: 100, senders: 16, retried: 0.2, redisKills: 2, streams: 0 };
type Plan = typeof DEFAULTS;

/** Streams of one token. */
const PER_TOKEN = 20;
/** Streams that are opened at once. */
const AT_ONCE = 100;
const PAGE_BYTES = 4_096;
const MB = 1_048_576;

/** `npm run gate -- channels [--messages 10000 --streams 5000 …]`: what comes in is there once and in order, and heard while it comes. */
export async function channels(args: readonly string[]): Promise<Findings> {
  const names = Object.keys(DEFAULTS) as (keyof Plan)[];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])] as const]));
  const plan: Plan = { ...DEFAULTS, ...Object.fromEntries(given) };
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const services = await GateServices.start(dataDir, say);
  const fleet = new Fleet(gateEnvironment(services.urls, dataDir), join(dataDir, 'fleet.log'));
  try {
    const [workspace] = await createWorkspaces(services.databaseUrl, dataDir, 1);
    await fleet.start(['api', 'worker', 'worker']);
    const [url = ''] = fleet.urls;
    if (!workspace) throw new Error('No workspace was made.');
    const api = new Api(url, workspace.token);
    const channel = await apiChannel(api, null);
    // The processes call themselves by the port that was configured.
    const address = `${url}${new URL(await inboundAddress(api, channel)).pathname}`;
    const ear = new Ear(url, workspace.token);
    const tokens = await openSession({ dataDir }, services.databaseUrl, ({ tokens: made }) =>
      Promise.all(
        Array.from({ length: Math.ceil(plan.streams / PER_TOKEN) }, () =>
          made.create({ workspaceId: workspace.id, scopes: ['read'], name: 'Ear' }),
        ),
      ),
    );
    // The one that listens is one of them: a workspace has no more.
    const keys = tokens.flatMap(({ token }) => Array.from({ length: PER_TOKEN }, () => token));
    const crowd = await opened(url, keys.slice(0, Math.max(0, plan.streams - 1)));
    const rss = residentMb(fleet.pids[0] ?? 0);
    say(`${crowd.length + 1} streams are open: ${rss} MB resident.`);
    const kills = killSometimes(services, plan.redisKills);
    const sent = await send(plan, address, ear);
    await kills;
    await sleep(3_000);
    const found = await audit(services.databaseUrl, workspace);
    for (const each of [ear, ...crowd]) each.close();
    return {
      checks: [
        { name: 'messages lost', value: sent.messages - found.distinct, target: { most: 0 } },
        { name: 'messages doubled', value: found.rows - found.distinct, target: { most: 0 } },
        { name: 'messages out of order', value: found.disordered, target: { most: 0 } },
        { name: 'messages that no stream told', value: sent.messages - ear.heard.size, target: { most: 0 } },
        {
          name: 'from the answer to the stream, 99th per cent, in ms',
          value: ear.late(0.99),
          target: { most: 300 },
          timed: true,
        },
        { name: 'MB resident with all streams open', value: rss, target: { most: 400 } },
      ],
      facts: { ...sent, streams: crowd.length + 1, tickets: found.tickets },
    };
  } finally {
    await fleet.stop();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Streams by these tokens, a few at a time. */
async function opened(url: string, tokens: readonly string[]): Promise<Ear[]> {
  const crowd: Ear[] = [];
  for (let at = 0; at < tokens.length; at += AT_ONCE) {
    const some = tokens.slice(at, at + AT_ONCE).map((token) => new Ear(url, token));
    await Promise.all(some.map((each) => each.opened));
    crowd.push(...some);
  }
  return crowd;
}

/** Hears what is said through one stream, and comes back when it ends. */
class Ear {
  /** External id → when it was heard. */
  readonly heard = new Map<string, number>();
  readonly said = new Map<string, number>();
  readonly opened: Promise<void>;
  private last: string | null = null;
  private closed = false;
  private end: () => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {
    this.opened = this.open();
  }

  close(): void {
    this.closed = true;
    this.end();
  }

  late(part: number): number {
    const waits = [...this.said].map(([id, at]) => Math.max(0, (this.heard.get(id) ?? Infinity) - at));
    return Math.round(waits.sort((one, other) => one - other)[Math.floor(waits.length * part)] ?? 0);
  }

  private open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const last = this.last === null ? {} : { 'last-event-id': this.last };
      const headers = { authorization: `Bearer ${this.token}`, accept: 'text/event-stream', ...last };
      const asked = request(`${this.url}/v1/teams/stream`, { headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`The stream answers ${answer.statusCode ?? 0}.`));
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text = this.take(text + chunk)));
        answer.on('close', () => {
          if (!this.closed) setTimeout(() => void this.open().catch(() => undefined), 200);
        });
        resolve();
      });
      asked.on('error', (error) => {
        if (!this.closed) reject(error);
      });
      asked.end();
      this.end = () => asked.destroy();
    });
  }

  /** @returns what is not complete yet */
  private take(text: string): string {
    const parts = text.split('\n\n');
    for (const part of parts.slice(0, -1)) {
      this.last = /^id: (.*)$/m.exec(part)?.[1] ?? this.last;
      const id = /"external_message_id":"([^"]+)"/.exec(part)?.[1];
      if (id !== undefined && !this.heard.has(id)) this.heard.set(id, performance.now());
    }
    return parts.at(-1) ?? '';
  }
}

/** Each conversation is spoken in by one sender, one message after the other, some of them told again, at once or later. */
async function send(
  plan: Plan,
  address: string,
  ear: Ear,
): Promise<{ messages: number; requests: number; repeated: number }> {
  const done = { messages: 0, requests: 0, repeated: 0 };
  const perConversation = Math.ceil(plan.messages / plan.conversations);
  const left = Array.from({ length: plan.conversations }, (_, index) => index);
  const post = async (told: object): Promise<void> => {
    for (;;) {
      done.requests++;
      const answer = await tell(address, told).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok) return;
      done.repeated++;
      await sleep(500);
    }
  };
  const speak = async (): Promise<void> => {
    for (let who = left.pop(); who !== undefined; who = left.pop()) {
      const from = { email: `guest-${who}@example.com`, name: `Guest ${who}` };
      for (let n = 1; n <= perConversation; n++) {
        const id = `${who}-${n}`;
        const told = { external_message_id: id, from, body: `Number ${n}` };
        const copies = Math.random() < plan.retried ? [post(told), post(told)] : [post(told)];
        await Promise.all(copies);
        ear.said.set(id, performance.now());
        done.messages++;
        if (done.messages % 1_000 === 0) say(`${done.messages} messages`);
      }
    }
  };
  await Promise.all(Array.from({ length: plan.senders }, speak));
  return done;
}

async function killSometimes(services: GateServices, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    await sleep(10_000);
    say('Redis is killed and emptied.');
    await services.killRedis();
  }
}

interface Audit {
  rows: number;
  distinct: number;
  disordered: number;
  tickets: number;
}

async function audit(databaseUrl: string, { id }: GateWorkspace): Promise<Audit> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<keyof Audit, string>>(
      `SELECT count(*) AS rows, count(DISTINCT external_message_id) AS distinct,
         count(*) FILTER (WHERE body <> 'Number ' || position) AS disordered,
         (SELECT count(*) FROM tickets t WHERE t.workspace_id = $1) AS tickets
       FROM channel_messages WHERE workspace_id = $1 AND direction = 'inbound'`,
      [id],
    );
    const [found] = rows;
    if (!found) throw new Error('Counting answers a row.');
    return {
      rows: Number(found.rows),
      distinct: Number(found.distinct),
      disordered: Number(found.disordered),
      tickets: Number(found.tickets),
    };
  } finally {
    await client.end();
  }
}

/** Memory of a process that is in RAM. */
function residentMb(pid: number): number {
  return Math.round((Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MB);
}
