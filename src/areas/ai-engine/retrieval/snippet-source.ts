import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { Parameters } from '../../../platform/database/parameters';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import type { Text } from './prepared';
import { PreparedTexts } from './prepared-texts';
import type { Question } from './ranking';
import type { Source, Wanted } from './source';
import { lexeme } from './word-counts';

/** Who is told: customers what is marked for them, agents what they share in. */
export type Readers = 'agents' | 'customers';

interface Row {
  id: number;
  title: string;
  tags: string;
  body: string;
  updated_at: string;
  is_for_customers: boolean;
  /** Another one whenever it is written again. */
  written: string;
}

/** Canned responses that have a word which are looked at. */
const MOST_HAVING = 1_000;
/** Characters of canned responses whose words are kept in memory. */
const MOST_CHARACTERS = 1_000_000;
/** Longer words are looked for by how they begin, as they are held against texts. */
const BEGINNING = 5;
/** Which ones customers may be told: somebody said so, and no group keeps them to itself. */
const forCustomers = (r: string): string => `(${r}.ai_answers AND ${r}.sharing = 'everyone')`;

/** Canned responses that say something of what is asked. */
@Injectable()
export class SnippetSource {
  private readonly known = new PreparedTexts(MOST_CHARACTERS);

  constructor(private readonly database: Database) {}

  /** Those that have the most of the question, the first ones; sentences with a variable are no part of them. */
  async find({ words, maxAgeDays, limit }: Wanted, question: Question, readers: Readers): Promise<Source[]> {
    const workspaceId = currentWorkspaceId();
    const parameters = new Parameters(workspaceId);
    const { bind } = parameters;
    const asked = [...words].sort();
    const queries = bind(asked.map((word) => beginning(workspaceId, word)));
    const weights = bind(asked.map((word) => question.get(word) ?? 0));
    // Ahead of the limit: a few that are marked stand among many that are not.
    const marked = readers === 'customers' ? ` AND ${forCustomers('s')}` : '';
    const having = `SELECT s.id FROM canned_responses_search s WHERE s.lexemes @@ v.query::tsquery${marked} LIMIT ${MOST_HAVING}`;
    const found = `SELECT p.id, sum(v.weight) AS score FROM unnest(${queries}::text[], ${weights}::float8[]) AS v(query, weight)
      CROSS JOIN LATERAL (${having}) p GROUP BY p.id`;
    const conditions = [
      `r.workspace_id = $1`,
      ...(readers === 'customers' ? [forCustomers('r')] : []),
      ...(maxAgeDays === null ? [] : [`r.updated_at >= now() - make_interval(days => ${bind(maxAgeDays)}::integer)`]),
    ];
    const statement = `SELECT r.id, r.title, r.tags, r.body, r.updated_at, ${forCustomers('r')} AS is_for_customers, r.xmin::text AS written
      FROM (${found}) f JOIN canned_responses r ON r.id = f.id
      WHERE ${conditions.join(' AND ')}${andSeen('canned_responses', 'r')} ORDER BY f.score DESC, r.id LIMIT ${limit}`;
    const rows = await this.database.read(filled(sql<Row>(statement, parameters.values)));
    const prepared = await this.known.all(rows.map((row) => textOf(workspaceId, row)));
    return rows.flatMap((row, at) => {
      const known = prepared[at];
      return known ? [{ ...shown(row), prepared: known }] : [];
    });
  }
}

function beginning(workspaceId: number, word: string): string {
  const [...letters] = word;
  if (letters.length < BEGINNING) return lexeme(workspaceId, word);
  return `${lexeme(workspaceId, letters.slice(0, BEGINNING).join(''))}:*`;
}

function textOf(workspaceId: number, { id, written, title, tags: about, body: text }: Row): Text {
  return { key: `${workspaceId}:${id}:${written}`, title, about, text, isTemplate: true };
}

function shown({ id, title, updated_at, is_for_customers }: Row): Omit<Source, 'prepared'> {
  const visibility = is_for_customers ? 'customers' : 'internal';
  return { type: 'snippet', id, title, url: `/canned-responses/${id}`, language: null, visibility, updated_at };
}
