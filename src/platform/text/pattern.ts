import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { firstCharacters, isLonger } from './normalise';

export const MAX_PATTERN = 200;
/** `matches` conditions in one set of conditions. */
export const MAX_PATTERNS = 10;

/** Instructions of a compiled expression: repetitions within repetitions make many of few characters. */
const MAX_PROGRAM = 500;
/**
 * RE2 is linear in the text, but each character may cost a step per instruction: what one search may cost bounds how far
 * it looks. That is 1,000 characters for the largest expressions and 10,000 for those that people write.
 */
const MAX_STEPS = 500_000;

const compiled = new LRUCache<string, RE2JS>({ max: 2_000 });

/** Whether the expression, which `patternProblem` found fine, occurs in the text; the end of long texts is left out. */
export function matchesPattern(source: string, text: string): boolean {
  const expression = compile(source);
  const reach = Math.floor(MAX_STEPS / Math.max(1, expression.programSize()));
  return expression.test(firstCharacters(text, reach));
}

/** Why the text is no usable expression; null when it is one. */
export function patternProblem(source: string): string | null {
  if (source === '' || isLonger(source, MAX_PATTERN))
    return `must be an RE2 expression of 1 to ${MAX_PATTERN} characters`;
  try {
    return compile(source).programSize() > MAX_PROGRAM ? 'is too complex: it repeats too much' : null;
  } catch (error) {
    return `must be an RE2 expression: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

function compile(source: string): RE2JS {
  let expression = compiled.get(source);
  if (!expression) compiled.set(source, (expression = RE2JS.compile(source)));
  return expression;
}
