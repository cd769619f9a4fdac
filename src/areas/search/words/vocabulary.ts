import { Injectable } from '@nestjs/common';
import { breather } from '../../../platform/workers/breather';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type Query, sql } from '../../../platform/postgres/statement-batch';
import { isIndexed, searchGroups } from '../groups';
import { correctionsOf, isCorrectable } from './corrections';
import type { Term } from '../../../platform/search/terms';
import { characters } from '../../../platform/search/words';

/** Trigrams that two words must share, as pg_trgm counts; the edit distance then decides. */
const SIMILARITY = '0.2';
/** Words that share too few trigrams with their mistyped forms are found by their first letter. */
const SHORT = 5;
const MOST_CANDIDATES = 3_000;

/** SQL of the newest records, without those whose words the job has learned. */
function freshTexts(): string {
  const fresh = searchGroups.filter(isIndexed).map(({ type, words: { texts, newestBy, newest } }) => {
    const text = `SELECT x.search_text FROM ${texts} x WHERE x.workspace_id = $1 AND x.id = n.id`;
    return `(SELECT (${text}) AS search_text
      FROM (SELECT id, ${newestBy} AS at FROM ${texts} WHERE workspace_id = $1 ORDER BY ${newestBy} DESC, id DESC LIMIT ${newest}) n
      LEFT JOIN search_progress p ON p.workspace_id = $1 AND p.source = '${type}'
      WHERE p.source IS NULL OR n.id > p.learned_id OR n.at > p.learned_at)`;
  });
  return fresh.join(' UNION ALL ');
}

/** Of a fresh text, for the bounds of it. */
const FRESH_LENGTH = 2_000;

/** Different words of fresh texts that are compared with a mistyped one. */
const FRESH_WORDS = 8_000;

/** What is known of a word that found nothing. */
interface Known {
  /** Some record has it, or a word that begins with it. */
  exists: boolean;
  near: string[];
}

/** The words of the current workspace, for those that were mistyped. */
@Injectable()
export class Vocabulary {
  constructor(private readonly database: Database) {}

  /**
   * The terms with other spellings for those that no record has, and what was put in the place of what; null when there
   * is nothing to correct.
   */
  async corrected(terms: readonly Term[]): Promise<{ terms: Term[]; corrections: Record<string, string[]> } | null> {
    const doubtful = terms.filter(isCorrectable);
    if (doubtful.length === 0) return null;
    const known = await this.lookUp(doubtful);
    const corrections: Record<string, string[]> = {};
    const better: Term[] = [];
    const pause = breather();
    for (const term of terms) {
      const word = known.get(term.text);
      const spellings = word && !word.exists ? correctionsOf(term.text, word.near) : [];
      await pause();
      if (spellings.length === 0) {
        better.push(term);
        continue;
      }
      corrections[term.text] = spellings;
      better.push({ ...term, spellings: spellings.map((text) => ({ words: [text], prefix: true })) });
    }
    return Object.keys(corrections).length ? { terms: better, corrections } : null;
  }

  private async lookUp(terms: readonly Term[]): Promise<Map<string, Known>> {
    const workspaceId = currentWorkspaceId();
    const asked: Record<string, Query<{ word: string }>> = {
      threshold: sql(`SELECT set_config('pg_trgm.similarity_threshold', $1, true) AS word`, [SIMILARITY]),
      fresh: sql(`SELECT left(search_text, ${FRESH_LENGTH}) AS word FROM (${freshTexts()}) f`, [workspaceId]),
    };
    for (const { text } of terms) asked[`word ${text}`] = candidates(text, workspaceId);
    const found = await this.database.transaction(() => this.database.batch(asked, true));
    const wordsOf = (name: string): string[] => (found[name] ?? []).map(({ word }) => word);
    const freshWords = differentWords(wordsOf('fresh'));
    return new Map(
      terms.map(({ text }) => {
        const near = [...wordsOf(`word ${text}`), ...freshWords];
        return [text, { exists: near.some((word) => word.startsWith(text)), near }];
      }),
    );
  }
}

/** The words of the lines, each once, as far as they are compared. */
function differentWords(lines: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const line of lines) {
    for (const word of line.split(' ')) if (word !== '') found.add(word);
    if (found.size >= FRESH_WORDS) break;
  }
  return found;
}

/** Learned words that begin with the word, or look like it. */
function candidates(word: string, workspaceId: number): Query<{ word: string }> {
  const { length, 0: first = '' } = characters(word);
  const ranges = [
    `SELECT word FROM search_words WHERE workspace_id = $1 AND word >= $2 AND word < $2 || U&'\\+10FFFF' LIMIT 1`,
    // Words of articles are theirs to correct; one that they have is no mistake.
    `SELECT word FROM kb_words WHERE workspace_id = $1 AND word = $2`,
  ];
  const values: unknown[] = [workspaceId, word];
  const near = `SELECT word FROM search_words_search WHERE workspace_id = $1 AND word % $2 LIMIT ${MOST_CANDIDATES}`;
  ranges.push(near);
  if (length <= SHORT) {
    values.push(first, length);
    ranges.push(
      `SELECT word FROM search_words WHERE workspace_id = $1 AND word >= $3 AND word < $3 || U&'\\+10FFFF' AND length(word) BETWEEN $4::integer - 1 AND $4::integer + 1 LIMIT ${MOST_CANDIDATES}`,
    );
  }
  return { text: ranges.map((range) => `(${range})`).join(' UNION '), values, unnamed: true };
}
