import { Injectable } from '@nestjs/common';
import type { FoundHits } from '../../platform/area/search-group';
import { currentWorkspaceId } from '../../platform/context/current';
import { currentSight } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { type Query, sql } from '../../platform/postgres/statement-batch';
import { PeriodicJobs } from '../../platform/schedule/periodic-jobs';
import { seenFacets } from '../../platform/resource/read/ranked-filters';
import { andSeen, filled, isReadable } from '../../platform/resource/read/sight';
import { resourceIfAny } from '../../platform/resource/resource';
import { groupStatement } from './group-statement';
import { isIndexed, searchGroups } from './groups';
import { groupResult, type GroupResult, type Hit, hitsOf, type Results } from './hits';
import { askedKeys, DEAR_LINES, noteAsked } from '../../platform/search/bits/asked-phrases';
import { commonWords } from '../../platform/search/bits/common-words';
import { FOLD_WORDS } from '../../platform/search/bits/word-folder';
import type { WordBits } from '../../platform/search/bits/word-bits';
import { type Term, termsOf } from '../../platform/search/terms';
import { MAX_SEARCHED, type SearchRequest } from './query';
import { Vocabulary } from './words/vocabulary';

const NONE: ReadonlySet<string> = new Set();

const PLANNED_ONCE = sql<FoundHits>(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`);

/** A search as it is answered; `took_ms` is for the caller to measure. */
export interface SearchAnswer {
  data: Record<string, Hit[]>;
  totals: Record<string, number>;
  /** Groups with more records than are counted. */
  capped: string[];
  /** Words that no record has, and what was searched instead. */
  corrected: Record<string, string[]> | null;
}

/** Searches several kinds of record at once, in one round trip; mistyped words cost two more. */
@Injectable()
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly vocabulary: Vocabulary,
    private readonly jobs: PeriodicJobs,
  ) {}

  /** @param base scheme, authority and prefix of the hits' addresses */
  async search(request: SearchRequest, base: string): Promise<SearchAnswer> {
    const terms = termsOf(request.text).slice(0, MAX_SEARCHED);
    const found = new Map<string, GroupResult>(await this.find(request, terms));
    const own = searchGroups.filter((group) => isIndexed(group) && request.types.includes(group.type));
    const isFound = own.length === 0 || own.some(({ type }) => (found.get(type)?.total ?? 0) > 0);
    // What was found instead would tell words of records that the caller does not see.
    const isLimited = own.some(({ type }) => andSeen(type, 't') !== '');
    const better = isFound || isLimited ? null : await this.vocabulary.corrected(terms);
    if (!better) return answer(request, terms, found, null, base);
    // The others were searched with a tolerance of their own.
    const types = own.map(({ type }) => type);
    for (const [type, result] of await this.find({ ...request, types }, better.terms)) found.set(type, result);
    const helped = own.some(({ type }) => (found.get(type)?.total ?? 0) > 0);
    return answer(request, better.terms, found, helped ? better.corrections : null, base);
  }

  private async find({ text, types }: SearchRequest, terms: readonly Term[]): Promise<Results> {
    const workspaceId = currentWorkspaceId();
    const asked: Record<string, Query<FoundHits>> = {};
    for (const group of searchGroups.filter(({ type }) => types.includes(type))) {
      const resource = resourceIfAny(group.type);
      if (resource && !isReadable(resource, currentSight())) continue;
      const seen = andSeen(group.type, 't');
      if (!isIndexed(group)) asked[group.type] = filled(group.statement(text, workspaceId, seen));
      else if (terms.length) {
        // Bits are of all records, whoever sees them: they are asked where they tell that, too.
        const known = await commonWords(this.database, group.bits, workspaceId);
        const ofSeen = seen === '' ? [] : resource && group.bits ? seenFacets(resource, seen, group.bits, known) : null;
        const common = ofSeen ? known : NONE;
        asked[group.type] = filled(groupStatement(group, text, terms, workspaceId, common, seen, ofSeen ?? []));
      }
    }
    if (Object.keys(asked).length === 0) return new Map();
    // Their order is laid down: to plan them for the words of each search would cost more than most searches.
    const queries: Record<string, Query<FoundHits>> = { planned: PLANNED_ONCE, ...asked };
    const found = await this.database.transaction(() => this.database.batch(queries, true));
    for (const { type, bits } of searchGroups.filter(isIndexed)) {
      if (bits && (found[type]?.[0]?.guesses ?? 0) >= DEAR_LINES) await this.noteDear(bits, workspaceId, terms);
    }
    return new Map(Object.keys(asked).map((type) => [type, groupResult(found[type]?.[0])]));
  }

  /** A phrase that took a look at many lines gets bits of its own. A search is answered whether or not that can be noted. */
  private async noteDear(bits: WordBits, workspaceId: number, terms: readonly Term[]): Promise<void> {
    const keys = askedKeys(terms, await commonWords(this.database, bits, workspaceId));
    if (keys.length === 0) return;
    const isNew = await noteAsked(this.database, bits, workspaceId, keys).catch(() => false);
    if (isNew) void this.jobs.runNow(FOLD_WORDS);
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
  for (const { type, singular, path } of searchGroups.filter((group) => types.includes(group.type))) {
    const { hits, total, capped } = found.get(type) ?? { hits: [], total: 0, capped: false };
    const search = { text, terms, corrected: corrected !== null, limit };
    result.data[type] = await hitsOf(hits, search, { singular, url: base + path });
    result.totals[type] = total;
    if (capped) result.capped.push(type);
  }
  return result;
}
