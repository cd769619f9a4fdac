import { Client } from 'pg';
import { treeSeconds } from '../support/cpu-time';
import type { Desk, Labelled } from './ai-desk';
import { ticketOf } from './ai-desk';
import { quantile } from './load';
import { createProgressLine } from './progress-line';
import { type Finding, milliseconds } from './report';

/** Of so many questions two are tickets that a reply is suggested to. */
const OF_FIVE = 0.4;
const FIRST = 5;
const REPLY_WORDS = 40;

interface Found {
  hits: { id: number }[];
}

interface Suggested {
  answer: string | null;
  sources: { type: string; id: number; quote: string; start: number; end: number }[];
}

/**
 * What of the tickets that came in is found for those that were kept aside: whether it is of the same category, beside what PostgreSQL's plain
 * full text finds in the same texts; and whether suggested replies say anything that no source says.
 *
 * @param processes whose CPU time is told: of the service, and of PostgreSQL
 */
export async function retrieved(
  desk: Desk,
  databaseUrl: string,
  kept: readonly Labelled[],
  questions: number,
  processes: readonly number[],
): Promise<Finding[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const workspaceId = (await desk.send<{ workspace: { id: number } }>('GET', '/me')).workspace.id;
    const labels = await answered(client, workspaceId);
    const queries = kept.slice(0, questions);
    const times: number[] = [];
    const seconds = (): number[] => processes.map((pid) => treeSeconds(pid) ?? NaN);
    const spent = [0, 0];
    const say = createProgressLine('Asking');
    const ours: string[][] = [];
    const plain: string[][] = [];
    for (const [at, { text }] of queries.entries()) {
      const query = text.slice(0, 2_000);
      const [before, began] = [seconds(), performance.now()];
      const { hits } = await desk.send<Found>('POST', '/ai-engine/retrieve', {
        query,
        limit: FIRST,
        sources: ['ticket'],
        min_score: 0,
      });
      times.push(performance.now() - began);
      for (const [place, now] of seconds().entries()) spent[place] = (spent[place] ?? 0) + now - (before[place] ?? NaN);
      ours.push(hits.map(({ id }) => labels.get(id) ?? ''));
      plain.push((await byPlainText(client, query)).map((id) => labels.get(id) ?? ''));
      say(`${at} questions`, at / queries.length);
    }
    const wanted = queries.map(({ label }) => label);
    const both = (
      name: string,
      measure: (found: readonly string[][], wanted: readonly string[]) => number,
    ): Finding => ({
      name,
      service: measure(ours, wanted).toFixed(4),
      beside: measure(plain, wanted).toFixed(4),
      value: measure(ours, wanted),
      target: { least: measure(plain, wanted) },
    });
    const p95 = quantile(times, 0.95);
    return [
      both('precision@5 of the same category, beside plain full text', precision),
      both('mean reciprocal rank of the same category, beside plain full text', reciprocalRank),
      {
        name: `retrieval over ${labels.size} documents, p95`,
        service: milliseconds(p95),
        value: p95,
        target: { most: 80 },
      },
      ...['Node', 'PostgreSQL'].map((name, place) => {
        const value = ((spent[place] ?? NaN) / queries.length) * 1_000;
        return { name: `CPU of ${name} for a retrieval`, service: milliseconds(value), value, target: null };
      }),
      ...(await replies(desk, client, kept.slice(questions, questions + Math.ceil(questions * OF_FIVE)), labels)),
    ];
  } finally {
    await client.end();
  }
}

/** Every ticket gets an agent's reply that says its beginning; plain full text gets a table of its own. Answers categories by ticket. */
async function answered(client: Client, workspaceId: number): Promise<Map<number, string>> {
  await client.query(
    `INSERT INTO ticket_comments (workspace_id, ticket_id, channel, body, author_type, is_internal)
     SELECT t.workspace_id, t.id, t.channel, 'About this: ' || array_to_string((string_to_array(t.subject || ' ' || t.description, ' '))[1:${REPLY_WORDS}], ' ') || '. It is done.', 'agent', false
     FROM tickets t WHERE t.workspace_id = $1 AND NOT EXISTS (SELECT FROM ticket_comments c WHERE c.workspace_id = $1 AND c.ticket_id = t.id)`,
    [workspaceId],
  );
  await client.query(
    `CREATE TEMP TABLE plain AS SELECT t.id, to_tsvector('english', t.subject || ' ' || t.description) AS words FROM tickets t WHERE t.workspace_id = ${workspaceId} AND t.status = 'closed'`,
  );
  await client.query('CREATE INDEX ON plain USING gin (words)');
  await client.query('ANALYZE plain');
  const { rows } = await client.query<{ id: string; name: string }>(
    `SELECT t.id, k.name FROM tickets t JOIN categories k ON k.workspace_id = t.workspace_id AND k.id = t.category_id
     WHERE t.workspace_id = $1 AND t.status = 'closed'`,
    [workspaceId],
  );
  return new Map(rows.map(({ id, name }) => [Number(id), name]));
}

async function byPlainText(client: Client, query: string): Promise<number[]> {
  const asked = `replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery`;
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM plain, (SELECT ${asked} AS q) x WHERE words @@ q ORDER BY ts_rank(words, q, 1) DESC, id LIMIT ${FIRST}`,
    [query],
  );
  return rows.map(({ id }) => Number(id));
}

function precision(found: readonly string[][], wanted: readonly string[]): number {
  const right = found.map((labels, at) => labels.filter((label) => label === wanted[at]).length / FIRST);
  return right.reduce((sum, each) => sum + each, 0) / found.length;
}

function reciprocalRank(found: readonly string[][], wanted: readonly string[]): number {
  const ranks = found.map((labels, at) => {
    const place = labels.indexOf(wanted[at] ?? '');
    return place === -1 ? 0 : 1 / (place + 1);
  });
  return ranks.reduce((sum, each) => sum + each, 0) / found.length;
}

/** Replies that are suggested: how many cite a ticket of the same category, how many there are not, and how many say what no source says. */
async function replies(
  desk: Desk,
  client: Client,
  asked: readonly Labelled[],
  labels: ReadonlyMap<number, string>,
): Promise<Finding[]> {
  let right = 0;
  let abstained = 0;
  let invented = 0;
  for (const { text, label } of asked) {
    const { id } = await desk.send<{ id: number }>('POST', '/tickets', ticketOf(text));
    const { answer, sources } = await desk.send<Suggested>('POST', '/ai-engine/suggest-reply', { ticket_id: id });
    if (answer === null) abstained++;
    else if (sources[0] && labels.get(sources[0].id) === label) right++;
    if (answer !== null && !(await isQuoted(client, answer, sources))) invented++;
  }
  const share = (name: string, count: number, target: Finding['target'], of = asked.length): Finding => ({
    name,
    service: `${count} of ${of}`,
    value: count / of,
    target,
  });
  return [
    share('suggested replies whose source is of the same category', right, null, asked.length - abstained),
    share('replies that are not suggested, as no source says enough', abstained, null),
    share('suggested replies that say what no source says', invented, { most: 0 }),
  ];
}

/** Whether an answer is made of quotes alone, and each stands in the reply that it is of, where it says. */
async function isQuoted(client: Client, answer: string, sources: Suggested['sources']): Promise<boolean> {
  for (const { id, quote, start, end } of sources) {
    const { rows } = await client.query<{ body: string }>('SELECT body FROM ticket_comments WHERE ticket_id = $1', [
      id,
    ]);
    if (!rows.some(({ body }) => body.slice(start, end) === quote)) return false;
  }
  return answer.split('\n\n').every((part) => sources.some(({ quote }) => quote.includes(part)));
}
