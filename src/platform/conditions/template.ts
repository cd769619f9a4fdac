import { LRUCache } from 'lru-cache';
import Mustache from 'mustache';
import type { ErrorDetail } from '../errors/api-error';
import { firstCharacters } from '../text/normalise';
import { note } from './check-conditions';
import type { FieldSet } from './field-set';

/** A piece of a template: fixed text, or the name of a variable. */
interface Part {
  text?: string;
  variable?: string;
}

/** How values are put in: as they are, for HTML, inside a JSON string, or as text that Markdown shows as it is. */
export type Escape = 'none' | 'html' | 'json' | 'markdown';

const MAX_VARIABLES = 100;
/** Characters of a rendered text. */
const MAX_RENDERED = 131_072;

const writer = new Mustache.Writer();
// Mustache would keep every template for ever.
Object.assign(writer, { templateCache: undefined });
const parsed = new LRUCache<string, readonly Part[]>({ max: 1_000, maxSize: 4_000_000, sizeCalculation: sizeOf });

/** Adds to `problems` what is wrong with a template: mustache variables only, all of them known. */
export function checkTemplate(path: string, text: string, variables: FieldSet, problems: ErrorDetail[]): void {
  const parts = partsOf(text);
  if (typeof parts === 'string') {
    note(problems, path, 'format', parts);
    return;
  }
  const used = namesIn(parts);
  if (used.length > MAX_VARIABLES) note(problems, path, 'max', `must use at most ${MAX_VARIABLES} variables`);
  const unknown = used.find((name) => !variables.get(name));
  if (unknown !== undefined) {
    const names = variables.names();
    note(problems, path, 'unknown_variable', `uses {{${unknown.slice(0, 80)}}}, which is no variable`, names);
  }
}

/**
 * The text with its variables replaced; those without a value become nothing, longer results are cut at 128 Ki characters.
 *
 * @param value what a variable stands for: a JSON value, or undefined
 * @param escape one way for all variables, or that of each
 */
export function renderTemplate(
  text: string,
  value: (name: string) => unknown,
  escape: Escape | ((name: string) => Escape) = 'none',
): string {
  const parts = partsOf(text);
  if (typeof parts === 'string') return text;
  let result = '';
  for (const part of parts) {
    if (part.variable === undefined) result += part.text ?? '';
    else {
      const way = typeof escape === 'string' ? escape : escape(part.variable);
      result += ESCAPES[way](shown(value(part.variable)));
    }
    if (result.length > MAX_RENDERED) return firstCharacters(result, MAX_RENDERED);
  }
  return result;
}

/** Names of the variables of a text; none where it is no template. */
export function variablesOf(text: string): string[] {
  const parts = partsOf(text);
  return typeof parts === 'string' ? [] : namesIn(parts);
}

/** Whether the text has anything to replace. */
export function isTemplate(text: string): boolean {
  return text.includes('{{');
}

const ESCAPES: Readonly<Record<Escape, (text: string) => string>> = {
  none: (text) => text,
  html: (text) => Mustache.escape(text),
  json: (text) => JSON.stringify(text).slice(1, -1),
  markdown: escapeMarkdown,
};

/** What makes emphasis, code, links, images, tables, HTML and entities anywhere; headings, rules and lists where a line begins. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_[\]<>&|~!]/g, String.raw`\$&`)
    .replaceAll(/^([ \t]*)([#+=-])/gm, String.raw`$1\$2`)
    .replaceAll(/^([ \t]*\d+)([.)])/gm, String.raw`$1\$2`);
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(shown).join(', ') : JSON.stringify(value);
}

function namesIn(parts: readonly Part[]): string[] {
  return parts.flatMap(({ variable }) => (variable === undefined ? [] : [variable]));
}

/** The parts of a template, or why it is none. */
function partsOf(text: string): readonly Part[] | string {
  if (!isTemplate(text)) return [{ text }];
  const known = parsed.get(text);
  if (known) return known;
  const parts: Part[] = [];
  let tokens: [kind: string, text: string][];
  try {
    tokens = writer.parse(text, ['{{', '}}']) as [string, string][];
  } catch (error) {
    return `must be a template: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
  for (const [kind, content] of tokens) {
    if (kind === 'text') parts.push({ text: content });
    else if (kind === 'name') parts.push({ variable: content });
    else return `must use variables such as {{ticket.code}} only, no "${kind}" tags`;
  }
  parsed.set(text, parts);
  return parts;
}

function sizeOf(_parts: readonly Part[], text: string): number {
  return text.length + 1;
}
