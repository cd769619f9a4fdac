import { ERROR_STATUS, type ErrorType } from '../../src/platform/errors/api-error';
import type { Answer } from './api';

/** Words of PostgreSQL, the driver and the code, which no client should ever read. */
const LEAK =
  /syntax error|relation "|violates|null value in column|invalid input|SELECT |INSERT |\.ts:|\bat \w+ \(|node_modules|pg_|\[object Object\]/;

/** What is wrong with an answer to a hostile request; null when nothing is: never a 5xx, always the uniform error. */
export function flawOf(answer: Answer): string | null {
  const { status } = answer;
  if (status >= 500) return `${status}: ${answer.text.slice(0, 300)}`;
  if (status < 400) return null;
  if (answer.header('content-type') !== 'application/json; charset=utf-8') return `content type of ${status}`;
  const { error, ...rest } = answer.body;
  if (!error || Object.keys(rest).length > 0) return `not the uniform body: ${answer.text.slice(0, 300)}`;
  if (ERROR_STATUS[error.type as ErrorType] !== status || error.status !== status)
    return `${error.type} with ${status}`;
  if (error.request_id !== answer.header('x-request-id')) return 'the request id differs from the header';
  if (answer.header('x-api-version') !== 'v1') return 'no API version';
  if (typeof error.message !== 'string' || error.message === '') return 'no message';
  for (const { field, code, message } of error.details ?? []) {
    if (typeof field !== 'string' || code === '' || message === '') return 'an incomplete detail';
  }
  const texts = [error.message, ...(error.details ?? []).map(({ message }) => message)].join('\n');
  return LEAK.test(texts) ? `it tells too much: ${texts.slice(0, 300)}` : null;
}
