import type { Method, Operation } from './document';

const camel = (segment: string): string => segment.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/**
 * The id of an operation, from its address: `tickets.list`, `tickets.comments.create`, `kb.articles.update`,
 * `tickets.sla.get`, `quotes.revise`. Unique because an address is.
 *
 * @param listed whether the path (without method) answers a list
 */
export function operationId(method: Method, path: string, operation: Operation, listed: boolean): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const names = segments.filter((segment) => !segment.startsWith('{')).map(camel);
  const single = segments.at(-1)?.startsWith('{') ?? false;
  const verb = verbOf(method, single, listed, operation);
  return verb === null ? names.join('.') : [...names, verb].join('.');
}

function verbOf(method: Method, single: boolean, listed: boolean, operation: Operation): string | null {
  if (method === 'patch') return 'update';
  if (method === 'delete') return 'delete';
  if (method === 'get') return !single && listed ? 'list' : 'get';
  return listed && '201' in operation.responses ? 'create' : null;
}
