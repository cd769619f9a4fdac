import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { Parameters } from '../../../platform/database/parameters';
import { ListResult } from '../../../platform/http/results';
import type { Query } from '../../../platform/postgres/statement-batch';
import { wholeNumber } from '../../../platform/query/values';
import { parseListQuery, type RawQuery } from '../../../platform/resource/read/list-query';
import { findPage } from '../../../platform/resource/read/page';
import { pageLinks } from '../../../platform/resource/read/page-links';
import { currentSelection, parseSelection } from '../../../platform/resource/read/selection';
import { columnsOf } from '../../../platform/resource/read/list-answer';
import type { ListParams } from '../../../platform/resource/reader';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { commonWords } from '../../../platform/search/bits/common-words';
import { lexemeQuery } from '../../../platform/search/matching';
import { ownJson } from '../../../platform/text/json';
import { Ticket } from '../ticket.entity';
import { ticketResource } from '../ticket.resource';
import { ticketWords } from '../ticket-words';
import { type TellingWord, tellingWords } from './similar-words';

export const DEFAULT_SIMILAR = 10;
export const MAX_SIMILAR = 50;

/** A word that more tickets have leads to none of them. */
const MOST_OF_A_WORD = 300;
/** Tickets that are looked at, most similar first: some of them may be out of sight, or not of the status that is asked for. */
const LOOKED_AT = 100;
/** Less in common is nothing in common. */
const LEAST = 0.1;
/** What a word counts that no other ticket has: that it is missing elsewhere says little, as most texts have such words. */
const UNIQUE = 0.2;
/** Words of a search for the subject as a whole, where all of its words are common. */
const SEARCHED_WORDS = 4;

/** A ticket that is like another, and how much: 1 = it has all the words that were looked for. */
interface Like {
  id: number;
  similarity: number;
}

/**
 * Tickets that are like another, by the words that searches find them by: the rarer a word that both have, the more it counts. The work
 * is bounded, however many tickets there are: so many words are looked up, and of each so many tickets.
 */
@Injectable()
export class SimilarTickets {
  constructor(
    private readonly database: Database,
    private readonly kernel: ResourceKernel,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
  ) {}

  /** What the caller sees of them, most similar first, each with its `similarity`; 404 without the ticket. */
  async to(id: number, params: ListParams): Promise<ListResult> {
    const { path, query, table: format } = params;
    const limit = limitOf(query);
    const ticket = await this.tickets.whole(id);
    const common = await commonWords(this.database, ticketWords, currentWorkspaceId());
    const words = tellingWords(ticket.subject, ticket.description, common);
    const likes = await this.byWords(id, words);
    const found = likes.length > 0 ? likes : await this.bySubject(ticket);
    const records = (await this.shown(found, query)).slice(0, limit);
    const links = pageLinks(path, query, { limit, offset: 0, dialect: 'offset' }, records.length);
    const resource = await this.kernel.listed(ticketResource, params);
    const columns = [...columnsOf(resource, currentSelection(ticketResource)), ['similarity'] as const];
    const table = format ? { format, columns, name: 'similar-tickets', rest: null } : undefined;
    return new ListResult(JSON.stringify(records), records.length, limit, 0, links, undefined, table);
  }

  private async byWords(id: number, words: readonly TellingWord[]): Promise<Like[]> {
    if (words.length === 0) return [];
    const rows = await this.database.read(likeStatement(currentWorkspaceId(), id, words));
    return rows.filter(({ similarity }) => similarity >= LEAST);
  }

  /** All words are common: the newest that have the first of them, of the subject. */
  private async bySubject({ id, subject }: Readonly<Ticket>): Promise<Like[]> {
    const words = tellingWords(subject, '', new Set()).slice(0, SEARCHED_WORDS);
    if (words.length === 0) return [];
    const q = words.map(({ word }) => word).join(' ');
    const selection = parseSelection(ticketResource, { fields: 'id' });
    const plan = parseListQuery(ticketResource, { q, limit: String(LOOKED_AT) }, selection);
    const { text } = await findPage(this.database, ticketResource, plan, {});
    return ownJson<{ id: number }[]>(String(text))
      .filter((other) => other.id !== id)
      .map((other) => ({ id: other.id, similarity: LEAST }));
  }

  /** As the request asked to see them, in this order, without those that are out of sight. */
  private async shown(likes: readonly Like[], { status }: RawQuery): Promise<object[]> {
    if (likes.length === 0) return [];
    const asked = currentSelection(ticketResource);
    const hasId = asked.fields.includes('id');
    const selection = hasId ? asked : { ...asked, fields: ['id', ...asked.fields] };
    const ids = likes.map(({ id }) => id).join(',');
    const query = { ids, limit: String(LOOKED_AT), ...(status === undefined ? {} : { status }) };
    const plan = parseListQuery(ticketResource, query, selection);
    const { text } = await findPage(this.database, ticketResource, plan, {});
    const records = new Map(ownJson<Record<'id', number>[]>(String(text)).map((record) => [record.id, record]));
    return likes.flatMap(({ id, similarity }) => {
      const record = records.get(id);
      if (!record) return [];
      const { id: _known, ...rest } = record;
      return [{ ...(hasId ? record : rest), similarity }];
    });
  }
}

function limitOf(query: RawQuery): number {
  return query.limit === undefined ? DEFAULT_SIMILAR : wholeNumber(1, MAX_SIMILAR)(query.limit, 'limit');
}

/**
 * Each word is looked up in the index of words by itself, behind MATERIALIZED, so that no plan reads the table instead; a word that too many
 * have is left after so many rows. One word in common is chance, unless there is no other. A word counts its weight divided by how many have it, as a logarithm.
 */
export function likeStatement(workspaceId: number, id: number, words: readonly TellingWord[]): Query<Like> {
  const { values, bind } = new Parameters(workspaceId);
  const found = words.map(({ word }, place) => {
    const query = lexemeQuery([{ text: word, spellings: [{ words: [word], prefix: false }], run: false }], workspaceId);
    return `w${place} AS MATERIALIZED (SELECT s.id FROM ticket_texts_search s WHERE s.workspace_id + 0 = $1 AND s.lexemes @@ ${bind(query)}::tsquery)`;
  });
  const hits = words.map(
    (_, place) => `SELECT ${place} AS place, l.id FROM (SELECT id FROM w${place} LIMIT ${MOST_OF_A_WORD + 1}) l`,
  );
  const weights = bind(words.map(({ weight }) => weight));
  const self = bind(id);
  const text = `
    WITH ${found.join(', ')},
      hits AS MATERIALIZED (${hits.join(' UNION ALL ')}),
      counted AS MATERIALIZED (
        SELECT h.place, v.weight * CASE count(*) WHEN 1 THEN ${UNIQUE} ELSE 1 / ln(1 + count(*)) END AS worth
        FROM hits h JOIN unnest(${weights}::float8[]) WITH ORDINALITY AS v (weight, rank) ON v.rank = h.place + 1
        GROUP BY h.place, v.weight HAVING count(*) <= ${MOST_OF_A_WORD})
    SELECT h.id, round((sum(c.worth) / (SELECT sum(worth) FROM counted))::numeric, 3)::float8 AS similarity
    FROM hits h JOIN counted c ON c.place = h.place WHERE h.id <> ${self}
    GROUP BY h.id HAVING count(*) >= least(2, (SELECT count(*) FROM counted)) ORDER BY similarity DESC, h.id DESC LIMIT ${LOOKED_AT}`;
  return { text, values, unnamed: true };
}
