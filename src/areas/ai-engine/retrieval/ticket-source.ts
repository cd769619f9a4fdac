import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { Parameters } from '../../../platform/database/parameters';
import { type Query, sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { idfOf } from './ranking';
import { PreparedTexts } from './prepared-texts';
import type { Source, Wanted } from './source';
import { type Counted, lexeme, MOST_HAVING } from './word-counts';

/** Tickets that are looked up by the words that lead, and those of them that are held against all words. */
const MOST_LOOKED_THROUGH = 4_000;
const MOST_WEIGHED = 100;
/** Characters of what is taken of each. */
const MOST_DESCRIPTION = 1_000;
const MOST_REPLY = 8_000;
/** Characters of tickets whose words are kept in memory. */
const MOST_CHARACTERS = 1_000_000;
/** What a score is divided by, or long texts, which have a word of everything, came first; told without reading them. */
const LENGTH = 'ln(2 + octet_length(s.search_text)::float8 / 6)';

interface Row {
  id: number;
  subject: string;
  description: string;
  body: string;
  language: string | null;
  updated_at: string;
  /** Another one whenever the ticket or the reply is written again. */
  written: string;
}

/** In how many tickets words stand, and what is not looked at. */
interface Ticketed extends Counted {
  /** A ticket that is no source. */
  except: number | null;
}

/** Replies to resolved tickets. */
@Injectable()
export class TicketSource {
  private readonly known = new PreparedTexts(MOST_CHARACTERS);

  constructor(private readonly database: Database) {}

  /**
   * Resolved tickets that have the rarer words of a question, those that have the most of it for their length first: what is taken of
   * them is the last public reply of an agent. Tickets without one have nothing to say, and those that the caller does not see do not either.
   */
  async find(wanted: Wanted, counted: Ticketed): Promise<Source[]> {
    const workspaceId = currentWorkspaceId();
    const led = leading(wanted.words, counted.counts);
    if (led.length === 0) return [];
    const rows = await this.database.read(filled(foundBy(led, wanted, counted, workspaceId)));
    const texts = rows.map(({ id, written, subject: title, description: about, body: text }) => {
      return { key: `${workspaceId}:${id}:${written}`, title, about, text };
    });
    const prepared = await this.known.all(texts);
    return rows.flatMap((row, at) => {
      const known = prepared[at];
      return known ? [{ ...shown(row), prepared: known }] : [];
    });
  }
}

function shown({ id, subject, language, updated_at }: Row): Omit<Source, 'prepared'> {
  return { type: 'ticket', id, title: subject, url: `/tickets/${id}`, language, visibility: 'internal', updated_at };
}

/**
 * The index of words tells which tickets have the most of what leads; the texts of the first of those that have an answer are held
 * against all words.
 */
function foundBy(
  led: readonly string[],
  { words, maxAgeDays, limit }: Wanted,
  { counts, all, except }: Ticketed,
  workspaceId: number,
): Query<Row> {
  const parameters = new Parameters(workspaceId);
  const { bind } = parameters;
  /** Rows of what words are looked for by, each with how telling it is. */
  const weighed = (of: readonly string[], by: (word: string) => string): string => {
    const weights = of.map((word) => idfOf(counts.get(word) ?? 0, all));
    return `unnest(${bind(of.map(by))}::text[], ${bind(weights)}::float8[])`;
  };
  const having = `SELECT s.id, ${LENGTH} AS length FROM ticket_texts_search s WHERE s.lexemes @@ v.query::tsquery LIMIT ${MOST_HAVING}`;
  // In order before they are joined: what stands further down is never looked at.
  const found = `SELECT p.id, p.length, sum(v.weight) / p.length AS score FROM ${weighed(led, (word) => lexeme(workspaceId, word))} AS v(query, weight)
    CROSS JOIN LATERAL (${having}) p GROUP BY p.id, p.length ORDER BY score DESC, p.id DESC`;
  const reply = `SELECT c.id, c.body, c.created_at, c.xmin AS written FROM ticket_comments c WHERE c.workspace_id = $1 AND c.ticket_id = t.id
    AND c.author_type = 'agent' AND NOT c.is_internal ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;
  const young =
    maxAgeDays === null ? '' : `r.created_at >= now() - make_interval(days => ${bind(maxAgeDays)}::integer) AND `;
  const answered = `SELECT f.id, f.length, t.subject, t.description, t.language, r.body, r.created_at AS updated_at, concat_ws(':', t.xmin, r.id, r.written) AS written
    FROM (${found}) f JOIN tickets t ON t.workspace_id = $1 AND t.id = f.id CROSS JOIN LATERAL (${reply}) r
    WHERE ${young}t.status IN ('resolved', 'closed') AND t.merged_into_id IS NULL AND t.id IS DISTINCT FROM ${bind(except)}${andSeen('tickets', 't')}
    ORDER BY f.score DESC, f.id DESC LIMIT ${MOST_WEIGHED}`;
  // Faster than LIKE.
  const has = `SELECT coalesce(sum(v.weight), 0) / a.length AS score FROM ticket_texts_search s, ${weighed(words, (word) => ` ${word}`)} AS v(beginning, weight)
    WHERE s.workspace_id = $1 AND s.id = a.id AND strpos(s.search_text, v.beginning) > 0`;
  const text = `SELECT b.id, b.subject, left(b.description, ${MOST_DESCRIPTION}) AS description, left(b.body, ${MOST_REPLY}) AS body, b.language, b.updated_at, b.written
    FROM (SELECT a.*, h.score FROM (${answered}) a CROSS JOIN LATERAL (${has}) h ORDER BY h.score DESC, a.id DESC LIMIT ${limit}) b ORDER BY b.score DESC, b.id DESC`;
  return sql<Row>(text, parameters.values);
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
