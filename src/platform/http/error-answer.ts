import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, type ErrorType } from '../errors/api-error';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';

/** An error as it is sent. */
export interface ErrorAnswer {
  contentType: string;
  /** Bytes where Fastify would add a charset that the media type does not have. */
  body: string | Buffer;
}

/** Writes an error in the form that the client prefers: the uniform body, or a problem document (RFC 9457). */
export function errorAnswer(error: ApiError, requestId: string, headers: IncomingHttpHeaders): ErrorAnswer {
  return prefersProblem(headers.accept)
    ? { contentType: PROBLEM_TYPE, body: Buffer.from(JSON.stringify(problemOf(error, requestId))) }
    : { contentType: JSON_TYPE, body: JSON.stringify(error.body(requestId)) };
}

/** The same content as the uniform body, under the names of RFC 9457. */
export function problemOf(error: ApiError, requestId: string): Record<string, unknown> {
  const { status, message, type, ...more } = error.body(requestId).error;
  return {
    type: `urn:problem-type:helpdesk:${String(type)}`,
    title: titleOf(error.type),
    status,
    detail: message,
    instance: `urn:request:${requestId}`,
    code: type,
    ...more,
  };
}

function titleOf(type: ErrorType): string {
  const text = type.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Whether `Accept` names problem documents and likes them no less than plain JSON: a client that lists both wants the one
 * for its successes and the other for its failures.
 */
function prefersProblem(accept: string | undefined): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(PROBLEM_TYPE)) return false;
  const weights = new Map(accept.split(',').map(weighted));
  const problem = weights.get(PROBLEM_TYPE) ?? 0;
  return problem > 0 && problem >= (weights.get('application/json') ?? 0);
}

function weighted(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return [type, weight >= 0 && weight <= 1 ? weight : 0];
}
