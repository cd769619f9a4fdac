import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Statement } from '../../platform/database/statement-batch';
import { articleStatement } from './article-statement';
import { groupStatement } from './group-statement';
import { type Group, groups } from './groups';
import { groupResult, type GroupResult, type Hit, hitsOf, type Results } from './hits';
import { type SearchRequest, type SearchType, type Term, termsOf } from './query';
import { Vocabulary } from './words/vocabulary';

/** A search as it is answered; `took_ms` is for the caller to measure. */
export interface SearchAnswer {
  data: Partial<Record<SearchType, Hit[]>>;
  totals: Partial<Record<SearchType, number>>;
  /** Groups with more records than are counted. */
  capped: SearchType[];
  /** Words that no record has, and what was searched instead. */
  corrected: Record<string, string[]> | null;
}

/** What articles are called and where they are; everything else about them is their area's. */
const ARTICLES = { type: 'kb_articles', singular: 'kb_article', path: '/kb/articles' } as const;

/** Searches several kinds of record at once, in one round trip; mistyped words cost two more. */
@Injectable()
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly vocabulary: Vocabulary,
  ) {}

  /** @param base scheme, authority and prefix of the hits' addresses */
  async search(request: SearchRequest, base: string): Promise<SearchAnswer> {
    const terms = termsOf(request.text);
    const found = new Map<SearchType, GroupResult>(await this.find(request, terms));
    const own = groups.filter(({ type }) => request.types.includes(type));
    const isFound = own.length === 0 || own.some(({ type }) => (found.get(type)?.total ?? 0) > 0);
    const better = isFound ? null : await this.vocabulary.corrected(terms);
    if (!better) return answer(request, terms, found, null, base);
    // Articles were searched with a tolerance of their own.
    const types = own.map(({ type }) => type);
    for (const [type, result] of await this.find({ ...request, types }, better.terms)) found.set(type, result);
    const helped = own.some(({ type }) => (found.get(type)?.total ?? 0) > 0);
    return answer(request, better.terms, found, helped ? better.corrections : null, base);
  }

  private async find({ text, types }: SearchRequest, terms: readonly Term[]): Promise<Results> {
    const workspaceId = currentWorkspaceId();
    const asked = types.flatMap((type): [SearchType, Statement][] => {
      const group = groups.find((each) => each.type === type);
      if (!group) return [[type, articleStatement(text, workspaceId)]];
      return terms.length ? [[type, groupStatement(group, text, terms, workspaceId)]] : [];
    });
    if (asked.length === 0) return new Map();
    const statements = asked.map(([, statement]) => statement);
    const answers = await this.database.transaction(() => this.database.batch(statements, true));
    return new Map(asked.map(([type], index) => [type, groupResult(answers[index]?.[0])]));
  }
}

async function answer(
  { text, limit, types }: SearchRequest,
  terms: readonly Term[],
  found: Results,
  corrected: Record<string, string[]> | null,
  base: string,
): Promise<SearchAnswer> {
  const result: SearchAnswer = { data: {}, totals: {}, capped: [], corrected };
  for (const type of types) {
    const { hits, total, capped } = found.get(type) ?? { hits: [], total: 0, capped: false };
    const { singular, path }: Pick<Group, 'singular' | 'path'> = groups.find((each) => each.type === type) ?? ARTICLES;
    const search = { text, terms, corrected: corrected !== null, limit };
    result.data[type] = await hitsOf(hits, search, { singular, url: base + path });
    result.totals[type] = total;
    if (capped) result.capped.push(type);
  }
  return result;
}
