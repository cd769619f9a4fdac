import type { LetterParts } from '../../../platform/mail/letter/letter';
import { ratingWords, scoresOf } from './rating-names';

/**
 * What stands below the request for a rating. Its links choose a score on the page; only the page's button stores it, because mail
 * scanners follow links.
 *
 * @param url of the page
 */
export function ratingChoices(url: string, language: string): NonNullable<LetterParts['choices']> {
  return scoresOf(ratingWords(language)).map(({ score, name }) => ({
    label: `${score} – ${name}`,
    url: `${url}?score=${score}`,
  }));
}
