import { publicPage } from '../../../platform/http/public-page';
import type { FileResult } from '../../../platform/http/results';
import { type Template, template } from '../../../platform/http/template';
import { MAX_COMMENT } from './rating.entity';
import { SCORE_NAMES } from './rating-names';

/** What the page of a ticket shows. */
export interface RatingView {
  code: string;
  subject: string;
  /** Name of the workspace. */
  workspace: string;
  /** The ticket is resolved or closed and was not merged away. */
  isRatable: boolean;
  /** The rating of the newest resolution, if it was given. */
  rating: { score: number; comment: string | null; isChangeable: boolean } | null;
}

interface RatingForm {
  /** Best first. */
  scores: typeof SCORE_NAMES;
  selected: number | null;
  comment: string;
  /** Characters of a comment. */
  longest: number;
  button: string;
}

const page: Template<{
  view: RatingView;
  notice: string | null;
  /** Score of a link back to the form. */
  change: number | null;
  form: RatingForm | null;
}> = template(__dirname, 'rating-page');

/**
 * The page with five choices and a comment; without the form where nothing can be said any more.
 *
 * @param chosen score that a link of the mail has chosen; null = none
 */
export function ratingPage(view: RatingView, chosen: number | null): FileResult {
  const { rating } = view;
  if (!view.isRatable) {
    const notice = 'This request is being worked on again. You can rate our help as soon as it has been resolved.';
    return publicPage('Not resolved yet', page({ view, notice, change: null, form: null }));
  }
  if (rating && !rating.isChangeable) {
    const notice = `You have rated our help: ${nameOf(rating.score)}. The rating can no longer be changed.`;
    return publicPage('Thank you', page({ view, notice, change: null, form: null }));
  }
  const form = {
    scores: [...SCORE_NAMES].reverse(),
    selected: chosen ?? rating?.score ?? null,
    comment: rating?.comment ?? '',
    longest: MAX_COMMENT,
    button: rating === null ? 'Send' : 'Change the rating',
  };
  return publicPage('How did we do?', page({ view, notice: null, change: null, form }));
}

/** The page after a rating was stored. */
export function thanksPage(view: RatingView, score: number): FileResult {
  return publicPage('Thank you', page({ view, notice: `Your rating: ${nameOf(score)}.`, change: score, form: null }));
}

function nameOf(score: number): string {
  return `${score} – ${SCORE_NAMES.find((each) => each.score === score)?.name ?? ''}`;
}
