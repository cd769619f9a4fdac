import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { Parameters } from '../../../platform/database/parameters';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { idfOf } from './ranking';
import { prepared } from './prepared';
import type { Source, Wanted } from './source';
import { lexeme, MOST_HAVING } from './word-counts';

const MOST_LOOKED_THROUGH = 4_000;
const DESCRIPTION = 1_000;

interface Row {
  id: number;
  subject: string;
  description: string;
  body: string;
  language: string | null;
  updated_at: string;
}

/**
 * Resolved tickets that have the rarer words of a question, those that have the most of it first: what is taken of them is the last
 * public reply of an agent. Tickets without one have nothing to say, and those that the caller does not see do not either.
 */
export async function resolvedTickets(
  database: Database,
  { words, maxAgeDays, limit }: Wanted,
  { counts, all, except }: { counts: ReadonlyMap<string, number>; all: number; except: number | null },
): Promise<Source[]> {
  const led = leading(words, counts);
  if (led.length === 0) return [];
  const workspaceId = currentWorkspaceId();
  const parameters = new Parameters(workspaceId);
  const { bind } = parameters;
  const query = bind(led.map((word) => lexeme(workspaceId, word)).join(' | '));
  const score = words
    .map((word) => {
      const weight = idfOf(counts.get(word) ?? 0, all).toFixed(4);
      // Faster than LIKE, for sixteen words of thousands of texts by half.
      return `CASE WHEN strpos(s.search_text, ${bind(` ${word}`)}::text) > 0 THEN ${weight}::float8 ELSE 0 END`;
    })
    .join(' + ');
  const some = `SELECT s.id, (${score}) AS score FROM ticket_texts_search s WHERE s.lexemes @@ ${query}::tsquery LIMIT ${MOST_LOOKED_THROUGH}`;
  // In order before they are joined: what stands further down is never looked at.
  const found = `SELECT s.id, s.score FROM (${some}) s ORDER BY s.score DESC, s.id DESC`;
  const reply = `SELECT c.body, c.created_at FROM ticket_comments c WHERE c.workspace_id = $1 AND c.ticket_id = t.id
    AND c.author_type = 'agent' AND NOT c.is_internal ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;
  const statement = `SELECT t.id, t.subject, left(t.description, ${DESCRIPTION}) AS description, r.body, t.language, r.created_at AS updated_at
    FROM (${found}) f JOIN tickets t ON t.workspace_id = $1 AND t.id = f.id
    CROSS JOIN LATERAL (${reply}) r
    WHERE ${maxAgeDays === null ? '' : `r.created_at >= now() - make_interval(days => ${bind(maxAgeDays)}::integer) AND `}t.status IN ('resolved', 'closed') AND t.merged_into_id IS NULL AND t.id IS DISTINCT FROM ${bind(except)}${andSeen('tickets', 't')}
    ORDER BY f.score DESC, f.id DESC LIMIT ${limit}`;
  const rows = await database.read(filled(sql<Row>(statement, parameters.values)));
  return rows.map((row) => ({
    type: 'ticket',
    id: row.id,
    title: row.subject,
    url: `/tickets/${row.id}`,
    prepared: prepared(row.subject, row.description, row.body),
    language: row.language,
    visibility: 'internal',
    updated_at: row.updated_at,
  }));
}

/** The rarest words, as long as all tickets that have one can be looked through; at least one, unless all are common. */
function leading(words: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  const led: string[] = [];
  let sum = 0;
  for (const word of [...words].sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))) {
    const having = counts.get(word) ?? 0;
    if (having === 0) continue;
    if (having > MOST_HAVING || sum + having > MOST_LOOKED_THROUGH) break;
    sum += having;
    led.push(word);
  }
  return led;
}
