import { Injectable } from '@nestjs/common';
import { currentSight } from '../../../platform/context/demand';
import { SharedReads } from '../../../platform/database/shared-reads';
import { isReadable } from '../../../platform/resource/read/sight';
import { resourceIfAny } from '../../../platform/resource/resource';
import { eachWord } from '../../../platform/search/words';
import { tellingWords } from '../language/stop-words';
import { similarity, vectorOf, type WordVector } from '../predictions/similarity';
import { ArticleSource } from './article-source';
import type { Passage } from './passages';
import { covered, fused, idfOf, type Question, tellingVector, type TextWords } from './ranking';
import { type Hit, type Retrieve, SOURCES, type SourceType } from './retrieval.dto';
import { type Readers, SnippetSource } from './snippet-source';
import type { Source } from './source';
import { folded } from './prepared';
import { TicketSource } from './ticket-source';
import { Spelling } from './spelling';
import { type Counted, WordCounts } from './word-counts';

/** Words of a question that are looked for, and documents of each kind that are looked at closely. */
const MOST_WORDS = 16;
const CLOSELY = 35;
/** Characters of a word that is looked for: without spaces a whole text may be one, which no index takes. */
const LONGEST_WORD = 255;
/** How surely a misspelt word stands for the one that is spelt most like it. */
const SURE = 0.8;

/** A passage of a document, and what it has of the question. */
interface Candidate {
  source: Source;
  passage: Passage;
  words: number;
  likeness: number;
}

/** What was found, and the question as it was understood. */
export interface Found {
  hits: Hit[];
  question: Question;
}

/** What is looked through. */
export interface Among {
  /** A ticket that is no source, because it is what is asked about. */
  except: number | null;
  withTickets: boolean;
  withArticles: boolean;
  /** Canned responses: those that customers may be told, or that the caller shares in; null = none. */
  snippets: Readers | null;
  /** Only what was changed within so many days; null = all. */
  maxAgeDays: number | null;
}

/** Which canned responses an audience may read. */
const SNIPPETS = { internal: 'agents', customers: 'customers', public: null } as const;

/** Finds passages that answer a question, in articles, resolved tickets and canned responses. */
@Injectable()
export class RetrievalService {
  constructor(
    private readonly shared: SharedReads,
    private readonly articles: ArticleSource,
    private readonly tickets: TicketSource,
    private readonly snippets: SnippetSource,
    private readonly words: WordCounts,
    private readonly spelling: Spelling,
  ) {}

  async find(asked: Retrieve): Promise<Hit[]> {
    const { audience = 'internal' } = asked;
    const [withTickets, snippets] = [audience === 'internal', SNIPPETS[audience]];
    const among = { except: null, withTickets, withArticles: true, snippets, maxAgeDays: null };
    return (await this.search(asked, among)).hits;
  }

  /** The same with the question as it was understood, among what the caller may use. Customers who ask the same at once have it looked up once. */
  search(asked: Retrieve, among: Among): Promise<Found> {
    const isForAll = !among.withTickets && among.snippets !== 'agents';
    if (currentSight() !== null || !isForAll) return this.lookUp(asked, among);
    const question = { text: 'ai-engine/retrieve', values: [JSON.stringify([asked, among])] };
    return this.shared.of(question, () => this.lookUp(asked, among));
  }

  private async lookUp(
    asked: Retrieve,
    { except, withTickets, withArticles, snippets, maxAgeDays }: Among,
  ): Promise<Found> {
    const { limit = 5, min_score: least = 0.2, audience = 'internal' } = asked;
    const said = tellingWords(
      [...eachWord(asked.query)].flatMap(({ text }) => (text.length > LONGEST_WORD ? [] : [text])),
      MOST_WORDS,
    );
    if (said.length === 0) return { hits: [], question: new Map() };
    const { words, question, counted } = await this.understood(said, withTickets);
    const wanted = { words, audience, language: asked.language ?? null, maxAgeDays, limit: CLOSELY };
    const kinds = (asked.sources ?? SOURCES).filter(isReadableKind);
    const sources = [
      ...(kinds.includes('kb_article') && withArticles ? await this.articles.find(wanted) : []),
      ...(kinds.includes('ticket') && withTickets ? await this.tickets.find(wanted, { ...counted, except }) : []),
      ...(kinds.includes('snippet') && snippets ? await this.snippets.find(wanted, question, snippets) : []),
    ];
    const hits = ranked(sources, question, tellingVector(question, vectorOf(folded(asked.query))));
    return { hits: hits.filter(({ score }) => score >= least).slice(0, limit), question };
  }

  /** Words that are looked for, those that are misspelt by what they stand for, and how telling each is. */
  private async understood(
    said: readonly string[],
    withTickets: boolean,
  ): Promise<{ words: string[]; question: Question; counted: Counted }> {
    // How telling a word is changes slowly; which tickets have it may have changed just now.
    const spelt = withTickets ? await this.words.now(said) : await this.words.lately(said);
    const unknown = said.filter((word) => (spelt.counts.get(word) ?? 0) === 0);
    const corrections = unknown.length === 0 ? new Map<string, string>() : await this.spelling.corrected(unknown);
    const words = [...new Set(said.map((word) => corrections.get(word) ?? word))];
    const added = words.filter((word) => !said.includes(word));
    const { counts, all } = added.length === 0 ? spelt : merged(spelt, await this.words.lately(added));
    const question = new Map<string, number>();
    for (const word of said) {
      const meant = corrections.get(word);
      const weight = idfOf(counts.get(meant ?? word) ?? 0, all);
      if (meant === undefined) question.set(word, weight);
      else
        for (const [each, part] of [
          [meant, SURE],
          [word, 1 - SURE],
        ] as const)
          question.set(each, Math.max(question.get(each) ?? 0, part * weight));
    }
    return { words, question, counted: { counts, all } };
  }
}

function merged(one: Counted, other: Counted): Counted {
  return { counts: new Map([...one.counts, ...other.counts]), all: Math.max(one.all, other.all) };
}

const RESOURCES = { kb_article: 'kb_articles', ticket: 'tickets', snippet: 'canned_responses' } as const;

/** Whether the caller may read such documents at all. */
function isReadableKind(kind: SourceType): boolean {
  const resource = resourceIfAny(RESOURCES[kind]);
  return resource !== undefined && isReadable(resource, currentSight());
}

/** The best passage of each document: by what it has of the question, and by how alike the question and the document are. */
function ranked(sources: readonly Source[], question: Question, own: WordVector): Hit[] {
  const candidates = sources.flatMap((source) => best(source, question, own) ?? []);
  const byWords = [...candidates].sort((one, other) => other.words - one.words);
  const byLikeness = [...candidates].sort((one, other) => other.likeness - one.likeness);
  // Each index has an order of its own.
  const indexed = SOURCES.map((kind) => candidates.filter(({ source }) => source.type === kind));
  // Replies answer what is alike, whatever of the question they repeat: among them that decides alone.
  const isTickets = candidates.every(({ source }) => source.type === 'ticket');
  return (isTickets ? byLikeness : fused([byWords, byLikeness, ...indexed])).map(
    ({ source, passage, words, likeness }) => ({
      source_type: source.type,
      id: source.id,
      title: source.title,
      url: source.url,
      passage: passage.text,
      start: passage.start,
      end: passage.end,
      score: rounded(words),
      score_components: { words: rounded(words), similarity: rounded(likeness) },
      language: source.language,
      visibility: source.visibility,
      updated_at: source.updated_at,
    }),
  );
}

function best(source: Source, question: Question, own: WordVector): Candidate | null {
  const { about, passages, vector } = source.prepared;
  let found: { passage: Passage; words: TextWords; own: number } | null = null;
  for (const { passage, words } of passages) {
    const has = covered(question, [words]);
    if (found === null || has > found.own) found = { passage, words, own: has };
  }
  if (found === null) return null;
  const words = covered(question, [about, found.words]);
  return { source, passage: found.passage, words, likeness: similarity(own, vector) };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
