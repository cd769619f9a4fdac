/** Small edits of files that were generated before: of the one object that `defineArea` or `@Module` is given. */

/** Adds an import behind the others; nothing when it is there. */
export function addImport(text: string, line: string): string {
  if (text.includes(line)) return text;
  const last = [...text.matchAll(/^(?:import .*|} from '.*');$/gm)].at(-1);
  const end = last ? last.index + last[0].length : 0;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** Adds an item to a list of the object; the list is made where there is none. */
export function addToList(text: string, list: string, item: string): string {
  const found = new RegExp(`\\b${list}: \\[`).exec(text);
  if (found) return insert(text, found.index + found[0].length, `${item}, `);
  const end = text.lastIndexOf('})');
  if (end < 0) throw new Error(`There is no object that "${list}" could be added to.`);
  return insert(text, end, `${list}: [${item}], `);
}

/** Adds a spread of events to the catalogue of an area. */
export function addEvents(text: string, events: string): string {
  const found = /\bevents: \{(?!\s*domain)/.exec(text);
  if (!found) throw new Error('There is no `events: { domain, label, events: {} }` that events could be added to.');
  return insert(text, found.index + found[0].length, ` ...${events}, `);
}

/** Adds a resource to those that a module has stores of. */
export function addStore(text: string, resource: string): string {
  const found = /\bStoreModule\.forFeature\(/.exec(text);
  return found
    ? insert(text, found.index + found[0].length, `${resource}, `)
    : addToList(text, 'imports', `StoreModule.forFeature(${resource})`);
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
