import { isAscii, isUtf8 } from 'node:buffer';
import { isInherited } from '../text/json';
import { hasTooManyMarks, withoutExcessMarks } from '../text/marks';
import { ApiError, type ErrorDetail } from '../errors/api-error';

/** Nesting that no honest request needs and that costs recursion elsewhere. */
export const MAX_DEPTH = 32;
/** Members of one object. */
export const MAX_KEYS = 1000;
/** Values of a whole body, objects and lists included: making objects of a class of them takes a microsecond each. */
export const MAX_VALUES = 50_000;

/**
 * The value of a JSON request body, checked for everything that would be stored wrongly or hurt later: invalid UTF-8, a
 * byte order mark, more than 32 levels, more than 1,000 members in an object, more than 50,000 values, NUL, lone surrogates and long runs of combining
 * marks in any string, integers that JavaScript cannot hold exactly, and keys that every object has.
 *
 * @returns the value, or the 422 to answer with
 */
export function parseJsonBody(bytes: Buffer): { value: unknown } | ApiError {
  if (!isUtf8(bytes)) return refusal(fault('format', 'The body is not valid UTF-8.'));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return refusal(fault('format', 'The body starts with a byte order mark; send plain UTF-8.'));
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return refusal(fault('format', 'The body is not valid JSON.'));
  }
  const found = check(value, 1, { text: isPlain(bytes) ? nothing : textFault, left: MAX_VALUES });
  return found ? refusal(found) : { value };
}

/** Nothing but ASCII, written as it is: no text of such a body can have a fault. NUL must be escaped in JSON. */
function isPlain(bytes: Buffer): boolean {
  return isAscii(bytes) && !bytes.includes('\\u');
}

/**
 * What no text that enters may have, wherever it comes from: the character NUL, half of a surrogate pair, more than 30 combining
 * marks in a row (`too_many_marks`). Null when there is nothing of it.
 */
export function textFault(text: string): Pick<ErrorDetail, 'code' | 'message'> | null {
  if (text.includes('\0')) return { code: 'format', message: 'Text must not contain the NUL character.' };
  if (!text.isWellFormed()) return { code: 'format', message: 'Text must not contain half of a surrogate pair.' };
  if (hasTooManyMarks(text)) {
    return { code: 'too_many_marks', message: 'Text must not have more than 30 combining marks in a row.' };
  }
  return null;
}

type TextCheck = typeof textFault;

/** A walk through a body. */
interface Walk {
  text: TextCheck;
  /** Values that it may still have. */
  left: number;
}

function nothing(): null {
  return null;
}

interface Fault {
  /** Where it is, innermost first: filled while the recursion unwinds, so that sound bodies cost no paths. */
  path: string[];
  code: string;
  message: string;
}

function check(value: unknown, depth: number, walk: Walk): Fault | null {
  if (--walk.left < 0) return fault('max', `The body has more than ${MAX_VALUES} values.`);
  if (typeof value === 'string') return faultOf(walk.text(value));
  if (typeof value === 'number') return checkNumber(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return fault('max', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return Array.isArray(value)
    ? checkItems(value, depth, walk)
    : checkMembers(value as Record<string, unknown>, depth, walk);
}

function checkItems(items: readonly unknown[], depth: number, walk: Walk): Fault | null {
  for (let index = 0; index < items.length; index++) {
    const found = check(items[index], depth + 1, walk);
    if (found) return at(found, String(index));
  }
  return null;
}

function checkMembers(members: Record<string, unknown>, depth: number, walk: Walk): Fault | null {
  const keys = Object.keys(members);
  if (keys.length > MAX_KEYS) return fault('max', `An object has more than ${MAX_KEYS} members.`);
  for (const key of keys) {
    if (isForbidden(key, depth)) return fault('unknown_field', `The name ${key} is not allowed.`);
    const found = faultOf(walk.text(key)) ?? check(members[key], depth + 1, walk);
    if (found) return at(found, key);
  }
  return null;
}

/** At the top the class of the body tells what it does not have, with what there is. */
function isForbidden(key: string, depth: number): boolean {
  return key === '__proto__' || key === 'constructor' || (depth > 1 && isInherited(key));
}

function faultOf(problem: ReturnType<TextCheck>): Fault | null {
  return problem && fault(problem.code, problem.message);
}

function checkNumber(number: number): Fault | null {
  if (Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number)) return null;
  return fault('max', 'Whole numbers must lie between -9007199254740991 and 9007199254740991.');
}

function fault(code: string, message: string): Fault {
  return { path: [], code, message };
}

function at(found: Fault, step: string): Fault {
  found.path.push(step);
  return found;
}

function refusal({ path, code, message }: Fault): ApiError {
  const where = shownName(path.reverse().join('.'), 200);
  return new ApiError('validation_error', message, { details: [{ field: where || 'body', code, message }] });
}

/** A name that the client chose, fit for an answer: short, well formed, with no more marks than a text may have. */
export function shownName(name: string, length = 80): string {
  return withoutExcessMarks(name.slice(0, length).toWellFormed().replaceAll('\0', '\uFFFD'));
}
