import { html, type Html } from '../../../platform/http/html';
import { publicPage } from '../../../platform/http/public-page';
import type { FileResult } from '../../../platform/http/results';
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

const TITLE = 'How did we do?';

/**
 * The page with five choices and a comment; without the form where nothing can be said any more.
 *
 * @param chosen score that a link of the mail has chosen; null = none
 */
export function ratingPage(view: RatingView, chosen: number | null): FileResult {
  if (!view.isRatable) {
    const content = html`${about(view)}
      <p class="notice">
        This request is being worked on again. You can rate our help as soon as it has been resolved.
      </p>`;
    return publicPage('Not resolved yet', content);
  }
  const { rating } = view;
  if (rating && !rating.isChangeable) {
    const content = html`${about(view)}
      <p class="notice">You have rated our help: ${nameOf(rating.score)}. The rating can no longer be changed.</p>`;
    return publicPage('Thank you', content);
  }
  const selected = chosen ?? rating?.score ?? null;
  return publicPage(TITLE, html`${about(view)} ${form(selected, rating?.comment ?? '', rating !== null)}`);
}

/** The page after a rating was stored. */
export function thanksPage(view: RatingView, score: number): FileResult {
  const content = html`${about(view)}
    <p class="notice">Your rating: ${nameOf(score)}.</p>
    <p><a href="?score=${score}">Change it</a></p>`;
  return publicPage('Thank you', content);
}

function about({ code, subject, workspace }: RatingView): Html {
  return html`<p class="quiet">${workspace}</p>
    <p>${subject} <span class="quiet">${code}</span></p>`;
}

function form(selected: number | null, comment: string, isChange: boolean): Html {
  const best = [...SCORE_NAMES].reverse();
  return html`<form method="post">
    <fieldset>
      <legend>Your satisfaction with our help</legend>
      ${best.map(
        ({ score, name }) =>
          html`<label
            ><input type="radio" name="score" value="${score}" required ${score === selected ? html`checked` : null} />
            ${score} – ${name}</label
          >`,
      )}
    </fieldset>
    <label for="comment">Anything you want to tell us</label>
    <textarea id="comment" name="comment" rows="5" maxlength="${MAX_COMMENT}">${comment}</textarea>
    <p><button type="submit">${isChange ? 'Change the rating' : 'Send'}</button></p>
  </form>`;
}

function nameOf(score: number): string {
  return `${score} – ${SCORE_NAMES.find((each) => each.score === score)?.name ?? ''}`;
}
