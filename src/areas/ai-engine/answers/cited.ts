import type { Question } from '../retrieval/ranking';
import type { Hit } from '../retrieval/retrieval.dto';
import type { CitedSource } from './answers.dto';
import { extract } from './extract';

/** What of the passages that were found says what is asked, quote by quote. */
export function citedSources(hits: readonly Hit[], question: Question): CitedSource[] {
  return hits.flatMap(({ source_type: type, id, title, url, passage, start, end, score, visibility }) =>
    extract({ start, end, text: passage }, question, type !== 'kb_article').map((quoted) => ({
      ...{ type, id, title, url, quote: quoted.text, start: quoted.start, end: quoted.end, score, visibility },
    })),
  );
}

/** The passages that an answer cites, whole. @param citations their numbers, from 1 */
export function passagesCited(hits: readonly Hit[], citations: readonly number[]): CitedSource[] {
  return citations.flatMap((number) => {
    const hit = hits[number - 1];
    if (!hit) return [];
    const { source_type: type, id, title, url, passage: quote, start, end, score, visibility } = hit;
    return [{ type, id, title, url, quote, start, end, score, visibility }];
  });
}

/** The quotes of the best source and nothing else; null without one. */
export function quotedAnswer(sources: readonly CitedSource[]): string | null {
  const [best] = sources;
  if (!best) return null;
  const quotes = sources.filter((source) => source.type === best.type && source.id === best.id);
  return quotes.map(({ quote }) => quote).join('\n\n');
}
