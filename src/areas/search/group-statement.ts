import { escapeLike } from '../../platform/resource/conditions';
import { Parameters } from '../../platform/resource/parameters';
import type { Statement } from '../../platform/database/statement-batch';
import type { Bind, Group } from './groups';
import { MAX_LIMIT, type Term } from './query';
import { fold } from './text';
import { type Tier, TIERS, tsquery } from './tsquery';

/** Totals are exact up to here: beyond, counting would cost more than anybody gains by it. */
export const MOST_COUNTED = 100_000;

/** Newest records looked through before the index is asked: a common word fills its page from them. */
const RECENT = 2_000;

/** The words of a record, spelled as the index is built on them. */
const LEXEMES = 'search_lexemes(s.workspace_id, s.search_text, s.title_length)';

/**
 * One group of a search in one statement: a single row of `hits` (JSON array text, at most 20, best first, each with
 * `id`, `place` and the group's columns) and `total` (exact up to `MOST_COUNTED`, one more when there are more).
 *
 * Closer matches come first, newer ones before older ones. Each step asks the index for the newest of one kind of match,
 * and only when the steps before have not filled the page; `place` is the number of the step, 0 = named exactly.
 */
export function groupStatement(group: Group, text: string, terms: readonly Term[], workspaceId: number): Statement {
  const parameters = new Parameters(workspaceId);
  const { bind } = parameters;
  const exact = group.exact(text, bind);
  const steps: Step[] = [];
  if (exact !== null)
    steps.push({
      name: 'e',
      place: 0,
      sql: `SELECT x.id, 'infinity'::timestamptz AS created_at FROM (${exact} LIMIT ${MAX_LIMIT}) x`,
    });
  for (const [index, tier] of TIERS.entries()) {
    const query = `${bind(tsquery(terms, tier, workspaceId))}::tsquery`;
    const place = index + 1;
    if (group.large) steps.push({ name: `r${place}`, place, sql: recent(group, terms, tier, query, bind) });
    steps.push({
      name: `f${place}`,
      place,
      sql: indexed(group, query, tier.startsWith('title') && !group.large ? bind(fold(text)) : null),
    });
  }
  const widest = `SELECT s.id FROM ${group.view} s WHERE ${LEXEMES} @@ ${bind(tsquery(terms, 'prefixes', workspaceId))}::tsquery LIMIT ${MOST_COUNTED + 1}`;
  const counted = exact === null ? widest : `(${widest}) UNION (${exact} LIMIT ${MOST_COUNTED + 1})`;
  return {
    text: `WITH ${steps.map((step, index) => expression(step, steps.slice(0, index))).join(', ')} SELECT ${hits(group, steps)}, (SELECT least(count(*), ${MOST_COUNTED + 1}) FROM (${counted}) c)`,
    values: parameters.values,
    unnamed: true,
  };
}

/** One look for hits: rows of `id`, `created_at`. */
interface Step {
  name: string;
  place: number;
  sql: string;
}

/** The step, to be taken when those before have not found enough. */
function expression({ name, sql }: Step, before: readonly Step[]): string {
  const found = before.map((step) => `SELECT id FROM ${step.name}`).join(' UNION ');
  const gate = before.length ? ` WHERE (SELECT count(*) FROM (${found}) b) < ${MAX_LIMIT}` : '';
  return `${name} AS MATERIALIZED (SELECT id, created_at FROM (${sql}) x${gate})`;
}

/** The newest matches among the newest records: words are looked for as texts first, which costs next to nothing. */
function recent(group: Group, terms: readonly Term[], tier: Tier, query: string, bind: Bind): string {
  const text = tier.startsWith('title') ? 'left(s.search_text, s.title_length)' : 's.search_text';
  const likely = terms.map(({ spellings }) => {
    const patterns = spellings.map((spelling) => `%${escapeLike(spelling.text)}%`);
    return `search_fold(${text}) LIKE ANY(${bind(patterns)}::text[])`;
  });
  const newest = `SELECT workspace_id, id, created_at, search_text, title_length FROM ${group.view} ORDER BY created_at DESC, id DESC LIMIT ${RECENT}`;
  return `SELECT s.id, s.created_at FROM (${newest}) s WHERE ${[...likely, `${LEXEMES} @@ ${query}`].join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ${MAX_LIMIT}`;
}

/**
 * The newest matches of all. OFFSET 0 keeps the planner from reading records in order of creation until enough match.
 *
 * @param title placeholder of the folded search: records of that very title come before the newest, in small tables
 */
function indexed(group: Group, query: string, title: string | null): string {
  const named = title !== null;
  const order = named ? `search_fold(left(m.search_text, m.title_length)) = ${title} DESC, ` : '';
  const columns = `s.id, s.created_at${named ? ', s.search_text, s.title_length' : ''}`;
  return `SELECT m.id, m.created_at FROM (SELECT ${columns} FROM ${group.view} s WHERE ${LEXEMES} @@ ${query} OFFSET 0) m ORDER BY ${order}m.created_at DESC, m.id DESC LIMIT ${MAX_LIMIT}`;
}

/** The best of what the steps found, read from the table under row-level security. */
function hits(group: Group, steps: readonly Step[]): string {
  const found = steps
    .map(({ name, place }) => `SELECT ${place} AS place, id, created_at FROM ${name}`)
    .join(' UNION ALL ');
  const last = group.last ? `(${group.last})` : 'false';
  const columns = Object.entries(group.columns).map(([name, sql]) => `${sql} AS ${name}`);
  const best = `SELECT id, min(place) AS place FROM (${found}) x GROUP BY id`;
  const rows = `SELECT t.id, b.place, ${last} AS last, ${columns.join(', ')} FROM (${best}) b JOIN ${group.table} t ON t.workspace_id = $1 AND t.id = b.id ORDER BY b.place, last, t.created_at DESC, t.id DESC LIMIT ${MAX_LIMIT}`;
  return `(SELECT coalesce(json_agg(r), '[]')::text FROM (${rows}) r)`;
}
