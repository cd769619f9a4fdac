import { randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import { withClient } from './bench-data';
import { compare, type CountedTarget, type Measured, send } from './load';
import { type Finding, rate } from './report';
import type { Setting } from './setting';

const DISTINCT = 500;
/** So many that each is asked for once, or so long ago that nothing is kept of it. */
const MANY = 40_000;
/** Creations whose log is measured. */
const WRITTEN = 500;

/** Requests per second of the service beside the bare handlers, each pair in one run. */
export async function measureThroughput(setting: Setting): Promise<Finding[]> {
  return [
    ...(await lists(setting)),
    ...(await second(setting)),
    ...(await filtered(setting)),
    ...(await one(setting, 0.6)),
    ...(await expansion(setting)),
  ];
}

async function lists(setting: Setting): Promise<Finding[]> {
  const { service, text, rows, counted } = await compare(
    {
      // The very first requests: everything that all requests share is compiled on these.
      service: { ...ofService(setting, ['/tickets']), warmUp: 8_000 },
      text: ofBare(setting, ['/list']),
      rows: ofBare(setting, ['/rows']),
      counted: { ...ofBare(setting, ['/counted']), warmUp: 20, counted: 40 },
    },
    setting.load,
  );
  const line = (name: string, beside: Measured, target: Finding['target']): Finding =>
    ratio(`list page of 25, exact total; bare ${name}`, service, beside, target);
  return [
    line('JSON text', text, { least: 0.6 }),
    line('rows', rows, { least: 1.3 }),
    line('with count(*)', counted, null),
  ];
}

/** A page whose text is never kept in memory (decision 880), as a first page is that nobody has asked for lately. */
const UNKEPT = '/tickets?page=2';

async function second(setting: Setting): Promise<Finding[]> {
  const { service, bare } = await compare(
    { service: ofService(setting, [UNKEPT]), bare: ofBare(setting, ['/list']) },
    setting.load,
  );
  return [ratio('the second page of 25, read anew; bare JSON text, the first', service, bare, null)];
}

async function filtered(setting: Setting): Promise<Finding[]> {
  const agent = await busiestAgent(setting);
  const findings: Finding[] = [];
  for (const [column, value] of [
    ['status', 'open'],
    ['priority', 'high'],
    ['assigned_to', agent],
  ]) {
    const { service, bare } = await compare(
      { service: ofService(setting, [`/tickets?${column}=${value}`]), bare: ofBare(setting, [`/${column}/${value}`]) },
      setting.load,
    );
    findings.push(ratio(`list page by ${column}`, service, bare, { least: 0.6 }));
  }
  return findings;
}

/**
 * One ticket by id: of a few that are asked for again and again, and of so many that each is read anew.
 *
 * @param least what the former is to reach
 */
export async function one(setting: Setting, least: number): Promise<Finding[]> {
  const few = await someIds(setting);
  const many = await someIds(setting, MANY);
  const again = await compare(
    {
      service: {
        ...ofService(
          setting,
          few.map((id) => `/tickets/${id}`),
        ),
        // The first requests in some measurements: what all requests share is compiled on these.
        warmUp: 20_000,
      },
      bare: ofBare(
        setting,
        few.map((id) => `/one/${id}`),
      ),
    },
    setting.load,
  );
  const anew = await compare(
    {
      service: eachOnce(ofService(setting, ['']), many, '/v1/tickets'),
      bare: eachOnce(ofBare(setting, ['']), many, '/one'),
    },
    setting.load,
  );
  return [
    ratio('one ticket by id, asked for before', again.service, again.bare, { least }),
    ratio('one ticket by id, read anew', anew.service, anew.bare, null),
  ];
}

/** Every connection by itself would begin with the first. */
function eachOnce(target: CountedTarget, ids: readonly number[], below: string): CountedTarget {
  let next = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    path: `${below}/${ids[next++ % ids.length]}`,
  });
  return { ...target, requests: target.requests.map((request) => ({ ...request, setupRequest })) };
}

/** Tickets from all over the measured workspace. */
export async function someIds({ databaseUrl, data }: Setting, distinct = DISTINCT): Promise<number[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM tickets WHERE workspace_id = $1 ORDER BY md5(id::text) LIMIT $2`,
      [data.measured.id, distinct],
    );
    return rows.map(({ id }) => id);
  });
}

/** New tickets per second, with a key and without, beside bare inserts. */
export async function measureCreation(setting: Setting): Promise<Finding[]> {
  const { keyed, plain, bare, lean } = await compare(
    {
      keyed: creations(ofService(setting, []), '/v1/tickets', true),
      plain: creations(ofService(setting, []), '/v1/tickets', false),
      bare: creations(ofBare(setting, []), '/bare_tickets', true),
      lean: creations(ofBare(setting, []), '/bare_tickets_lean', true),
    },
    setting.load,
  );
  return [
    ratio('create with Idempotency-Key; bare, same indexes', keyed, bare, { least: 0.5 }),
    ratio('create without a key; bare, same indexes', plain, bare, { least: 0.7 }),
    ratio('create with Idempotency-Key; bare, two indexes', keyed, lean, null),
    await written(setting),
  ];
}

/** What a creation with a key has written to the log of PostgreSQL right behind a checkpoint, images of pages and folding among it; half of what it once was. */
async function written(setting: Setting): Promise<Finding> {
  const { connections } = setting.load;
  return withClient(setting.databaseUrl, async (client) => {
    const bytes = async (target: CountedTarget): Promise<number> => {
      await client.query('CHECKPOINT');
      const { rows: before } = await client.query<{ at: string }>('SELECT pg_current_wal_insert_lsn() AS at');
      await send('written', target, connections, { amount: WRITTEN });
      const { rows } = await client.query<{ bytes: number }>(
        'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 AS bytes',
        [before[0]?.at],
      );
      return (rows[0]?.bytes ?? NaN) / WRITTEN;
    };
    const service = await bytes(creations(ofService(setting, []), '/v1/tickets', true));
    const bare = await bytes(creations(ofBare(setting, []), '/bare_tickets', true));
    const kilobytes = (size: number): string => `${(size / 1_000).toFixed(1)} kB`;
    return {
      name: 'WAL of a creation with a key, in kB',
      service: kilobytes(service),
      beside: kilobytes(bare),
      value: service / 1_000,
      target: { most: 45 },
    };
  });
}

async function expansion(setting: Setting): Promise<Finding[]> {
  const { plain, expanded } = await compare(
    {
      plain: ofService(setting, [UNKEPT]),
      expanded: ofService(setting, [`${UNKEPT}&expand=company,category,assignee,comments`]),
    },
    setting.load,
  );
  const name = 'expand=company,category,assignee,comments: cost beside a plain page, both read anew';
  const value = plain.rate / expanded.rate;
  return [{ ...ratio(name, expanded, plain, { most: 2.5 }), value }];
}

/** A line about requests per second, with what a request costs of CPU. */
export function ratio(name: string, service: Measured, beside: Measured, target: Finding['target']): Finding {
  return {
    name,
    service: rate(service.rate),
    beside: rate(beside.rate),
    value: service.rate / beside.rate,
    target,
    cpu: { service: service.cpu, beside: beside.cpu },
  };
}

/** Requests to the service; to another one than the setting's where that is given. */
export function ofService(
  { service, authorization }: Pick<Setting, 'service' | 'authorization'>,
  paths: readonly string[],
): CountedTarget {
  const { url, pid } = service;
  return { url, pid, headers: { authorization }, requests: paths.map((path) => ({ path: `/v1${path}` })) };
}

/** Also carries a token, so that the load generator writes the same number of bytes. */
export function ofBare({ bare, authorization }: Setting, paths: readonly string[]): CountedTarget {
  const { url, pid } = bare;
  return { url, pid, headers: { authorization }, requests: paths.map((path) => ({ path })) };
}

/** As many creations as take about as long as the reads of another comparison. */
export function creations(to: CountedTarget, path: string, keyed: boolean): CountedTarget {
  return { ...to, requests: [newTicket(path, keyed)], warmUp: 3_000, counted: 1_000 };
}

/** A creation; every request is put together anew on every side, with or without a key. */
export function newTicket(path: string, keyed: boolean): autocannon.Request {
  const body = JSON.stringify({
    subject: 'Printer on floor 3 prints blank pages',
    description:
      'My shared printer prints blank pages since this morning, in the office. I have restarted twice and nothing changed. The whole team is affected.',
    priority: 'high',
  });
  const headers = { 'content-type': 'application/json' };
  return {
    method: 'POST',
    path,
    body,
    setupRequest: (request) => ({
      ...request,
      headers: { ...request.headers, ...headers, [keyed ? 'idempotency-key' : 'x-sent-key']: randomUUID() },
    }),
  };
}

/** The id of the agent with the most tickets, as text. */
export async function busiestAgent({ databaseUrl, data }: Setting): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ who: string }>(
      `SELECT d3 AS who FROM resource_tallies
       WHERE workspace_id = $1 AND resource = 'tickets' AND d1 = '*' AND d2 = '*' AND d3 NOT IN ('*', '') ORDER BY n DESC LIMIT 1`,
      [data.measured.id],
    );
    return rows[0]?.who ?? '';
  });
}
