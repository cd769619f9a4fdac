import { parse } from 'csv-parse/sync';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { openSession } from '../../src/cli/session';
import type { Child } from './child';
import { createProgressLine } from './progress-line';

/** So many of a hundred texts, by their hash, are learnt from; the others are predicted. */
const LEARNT = 80;
const BATCH = 50;
const SUBJECT = 120;

export interface Labelled {
  text: string;
  label: string;
}

/** The texts of a corpus, those that are learnt from and those that are kept aside: these by their hash, as the order of a file is no chance. */
export function divided(file: string): { learnt: Labelled[]; kept: Labelled[] } {
  const bytes = readFileSync(file);
  const csv = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const rows = parse<{ document: string; topic_group: string }>(csv, { columns: true });
  const all = rows.map((row) => ({
    ...{ text: row.document, label: row.topic_group },
    hash: createHash('sha256').update(row.document).digest(),
  }));
  const isLearnt = ({ hash }: { hash: Buffer }): boolean => hash.readUInt32BE(0) % 100 < LEARNT;
  const kept = all.filter((row) => !isLearnt(row)).sort((one, other) => Buffer.compare(one.hash, other.hash));
  return { learnt: all.filter(isLearnt), kept };
}

/** A workspace that nothing limits: a new one, or the one into which tickets came last. */
export async function workspaceToken(databaseUrl: string, dataDir: string, again = false): Promise<string> {
  const known = again ? await lastWorkspace(databaseUrl) : null;
  return openSession({ dataDir }, databaseUrl, async ({ plans, provisioning, tokens }) => {
    const limits = { rate_limit_per_minute: 10_000_000, monthly_quota: 1_000_000_000, overage_enabled: true };
    await plans.put({ key: 'bench', ...limits });
    const made = (): Promise<{ id: number }> =>
      provisioning.createWorkspace({ name: `ai-${Date.now()}`, plan: 'bench' });
    const { id } = known ?? (await made());
    return (await tokens.create({ workspaceId: id, scopes: ['*'], name: 'Bench' })).token;
  });
}

/** @throws Error where no tickets came in before */
async function lastWorkspace(databaseUrl: string): Promise<{ id: number }> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT w.id FROM workspaces w WHERE w.name LIKE 'ai-%' AND EXISTS (SELECT FROM tickets t WHERE t.workspace_id = w.id) ORDER BY w.id DESC LIMIT 1`,
    );
    if (!rows[0]) throw new Error('No workspace has tickets of before: leave --again out.');
    return { id: Number(rows[0].id) };
  } finally {
    await client.end();
  }
}

/** A workspace as its API shows it. */
export class Desk {
  constructor(
    private readonly service: Child,
    private readonly token: string,
  ) {}

  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await fetch(`${this.service.url}/v1${path}`, sent);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  }

  /** Brings tickets in, closed and with their categories; answers the names of those by their ids. */
  async import(tickets: readonly Labelled[]): Promise<Map<string, string>> {
    const ids = new Map<string, number>();
    for (const name of [...new Set(tickets.map(({ label }) => label))].sort())
      ids.set(name, (await this.send<{ id: number }>('POST', '/categories', { name })).id);
    const say = createProgressLine('Importing');
    for (let from = 0; from < tickets.length; from += BATCH) {
      const operations = tickets.slice(from, from + BATCH).map(({ text, label }) => ({
        op: 'create',
        data: { ...ticketOf(text), status: 'closed', category_id: ids.get(label) },
      }));
      await this.send('POST', '/tickets/batch', { operations });
      say(`${from} tickets`, from / tickets.length);
    }
    return new Map([...ids].map(([name, id]) => [String(id), name]));
  }

  /** Names of the categories of a workspace into which tickets came before, by their ids. */
  async categories(): Promise<Map<string, string>> {
    const rows = await this.send<{ id: number; name: string }[]>('GET', '/categories?per_page=100');
    return new Map(rows.map(({ id, name }) => [String(id), name]));
  }

  /** Milliseconds of one `GET /me`. */
  async glance(): Promise<number> {
    const began = performance.now();
    await this.send('GET', '/me');
    return performance.now() - began;
  }
}

/** A text as a ticket. */
export function ticketOf(text: string): { subject: string; description: string } {
  // Between two words, so that none is cut.
  const end = text.length <= SUBJECT ? text.length : Math.max(1, text.lastIndexOf(' ', SUBJECT));
  return { subject: text.slice(0, end).trim() || 'Request', description: text.slice(end).trim() };
}
