import { Eta } from 'eta';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

declare const made: unique symbol;

/** HTML that a template made: whatever was put in is escaped, so it may stand in another one as it is (`<%~ it.content %>`). */
export type Html = string & { readonly [made]: true };

/** Makes HTML of what a page shows. */
export type Template<View extends object> = (it: View) => Html;

const engine = new Eta({ autoFilter: true, filterFunction: shown });

/**
 * The page, or part of one, in `<name>.eta` of a folder (`__dirname`): read and compiled once, when the module is loaded. Values
 * are escaped (`<%= it.name %>`), in attributes too; nothing stands for null, undefined and false. Templates are programs of ours:
 * texts of users never become one.
 *
 * @throws Error when there is no such file, or it is no template
 */
export function template(folder: string, name: string): Template<object> {
  const render = engine.compile(readFileSync(join(folder, `${name}.eta`), 'utf8'));
  return (it) => render.call(engine, it) as Html;
}

/** A text as it may stand in HTML, in attributes too. */
export function escapeHtml(text: string): Html {
  return engine.config.escapeFunction(text) as Html;
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
