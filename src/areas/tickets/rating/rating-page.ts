import type { Brand } from '../../../platform/brand/brand';
import { publicPage } from '../../../platform/http/public-page';
import type { FileResult } from '../../../platform/http/results';
import { type Template, template } from '../../../platform/http/template';
import type { CustomerField } from '../../../platform/resource/customer-fields';
import { MAX_COMMENT } from './rating.entity';
import { type RatingWords, ratingWords, scoresOf } from './rating-names';
import type { Obstacle } from './rating-rules';

/** What the page of a ticket shows. */
export interface RatingView {
  code: string;
  subject: string;
  /** Of the workspace. */
  brand: Brand;
  /** BCP 47 tag of whoever reads it. */
  locale: string;
  /** Custom fields that customers are shown. */
  fields: readonly CustomerField[];
  /** Why the ticket cannot be rated; null when it can. */
  obstacle: Obstacle | null;
  /** The rating of the newest resolution, if it was given. */
  rating: { score: number; comment: string | null; isChangeable: boolean } | null;
}

interface RatingForm {
  /** Best first. */
  scores: readonly { score: number; name: string }[];
  selected: number | null;
  comment: string;
  /** Characters of a comment. */
  longest: number;
  button: string;
}

interface Shown {
  notice: string | null;
  /** Score of a link back to the form. */
  change: number | null;
  form: RatingForm | null;
}

const page: Template<Shown & { view: RatingView; words: RatingWords }> = template(__dirname, 'rating-page');

/**
 * The page with five choices and a comment; without the form where nothing can be said any more.
 *
 * @param chosen score that a link of the mail has chosen; null = none
 */
export function ratingPage(view: RatingView, chosen: number | null): FileResult {
  const { rating } = view;
  const words = ratingWords(view.locale);
  if (view.obstacle === 'merged') return pageOf(view, words.joined, { notice: words.joinedText });
  if (view.obstacle === 'not_resolved') return pageOf(view, words.open, { notice: words.openText });
  if (rating && !rating.isChangeable) {
    return pageOf(view, words.thanks, { notice: words.fixed.replace('{score}', nameOf(rating.score, words)) });
  }
  const form = {
    scores: scoresOf(words),
    selected: chosen ?? rating?.score ?? null,
    comment: rating?.comment ?? '',
    longest: MAX_COMMENT,
    button: rating === null ? words.send : words.change,
  };
  return pageOf(view, words.title, { form });
}

/** The page after a rating was stored. */
export function thanksPage(view: RatingView, score: number): FileResult {
  const words = ratingWords(view.locale);
  return pageOf(view, words.thanks, { notice: words.yours.replace('{score}', nameOf(score, words)), change: score });
}

function pageOf(view: RatingView, title: string, shown: Partial<Shown>): FileResult {
  const words = ratingWords(view.locale);
  const content = page({ view, words, notice: null, change: null, form: null, ...shown });
  return publicPage({ title, content, brand: view.brand, locale: view.locale });
}

function nameOf(score: number, { scores }: RatingWords): string {
  return `${score} – ${scores[score - 1] ?? ''}`;
}
