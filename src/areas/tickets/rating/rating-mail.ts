import { type Template, template } from '../../../platform/http/template';
import { SCORE_NAMES } from './rating-names';

/** What a request for a rating speaks of. */
export interface RatingSubject {
  code: string;
  subject: string;
  requester_name: string | null;
  /** Name of the workspace. */
  workspace: string;
}

const page: Template<{
  greeting: string;
  question: string;
  scores: typeof SCORE_NAMES;
  url: string;
  workspace: string;
}> = template(__dirname, 'rating-mail');

/**
 * The mail that asks for a rating, as text and as HTML. Its links choose a score on the page; only the page's button
 * stores it, because mail scanners follow links.
 *
 * @param url of the page
 */
export function requestMail(about: RatingSubject, url: string): { subject: string; text: string; html: string } {
  const { code, subject, requester_name, workspace } = about;
  const greeting = requester_name === null ? 'Hello,' : `Hello ${requester_name},`;
  const question = `your request "${subject}" (${code}) has been resolved. How satisfied are you with the help you received?`;
  const best = [...SCORE_NAMES].reverse();
  const choices = best.map(({ score, name }) => `${score} - ${name}: ${url}?score=${score}`);
  return {
    subject: `[${code}] How did we do?`,
    text: `${greeting}\n\n${question}\n\n${choices.join('\n')}\n\n${workspace}\n`,
    html: page({ greeting, question, scores: best, url, workspace }),
  };
}
