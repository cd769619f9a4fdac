import { requireTransition, type TransitionTable } from '../../../platform/state/transitions';
import type { Values } from '../../../platform/resource/rows';
import type { KbArticle } from './article.entity';
import type { ArticleStatus } from './article-values';

/** Product reference 1.7: row = from, list = to. */
export const ARTICLE_TRANSITIONS: TransitionTable<ArticleStatus> = {
  draft: ['in_review'],
  in_review: ['draft', 'published'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};

/** What of an article the rules of publishing look at; moments are ISO 8601. */
export type PublishingFacts = Pick<
  KbArticle,
  'status' | 'publish_mode' | 'version_number' | 'live_version' | 'published_at'
>;

/**
 * The version that readers see after a change: of a published article the current one, of an archived one none, and of one
 * that is being written the one that was live, in the mode `staged`.
 */
export function liveVersion(
  wasLive: number | null,
  after: Omit<PublishingFacts, 'live_version' | 'published_at'>,
): number | null {
  switch (after.status) {
    case 'published':
      return after.version_number;
    case 'archived':
      return null;
    default:
      return after.publish_mode === 'staged' ? wasLive : null;
  }
}

/**
 * Values and events that come with a change of status (or with none); 422 when the status may not change so.
 *
 * @param now ISO 8601
 */
export function statusEffects(
  before: PublishingFacts,
  to: ArticleStatus,
  now: string,
): { values: Values<KbArticle>; events: string[] } {
  if (before.status === to) return { values: {}, events: [] };
  requireTransition(ARTICLE_TRANSITIONS, 'status', before.status, to);
  const values: Values<KbArticle> = { status: to };
  if (before.status === 'in_review' && to === 'published') values.reviewed_at = now;
  if (before.status === 'archived') values.archived_at = null;
  return { values: { ...values, ...arrival(before, to, now) }, events: eventsOf(to) };
}

/** The same for an article that begins its life in a status. */
export function firstStatus(status: ArticleStatus, now: string): { values: Values<KbArticle>; events: string[] } {
  return { values: arrival({ published_at: null }, status, now), events: eventsOf(status) };
}

function arrival(
  { published_at }: Pick<PublishingFacts, 'published_at'>,
  to: ArticleStatus,
  now: string,
): Values<KbArticle> {
  if (to === 'published') return { published_at: published_at ?? now };
  return to === 'archived' ? { archived_at: now } : {};
}

function eventsOf(status: ArticleStatus): string[] {
  return status === 'published' || status === 'archived' ? [`kb_article.${status}`] : [];
}
