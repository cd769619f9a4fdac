import type { ServiceRequest } from './service-source';
import { ServiceTrouble } from './service-trouble';

/** Most characters of a path with its query. */
const MAX_PATH = 8_192;

/**
 * A link that a service gave, as a request to it. Links lead where they like; what is asked has credentials, so it goes to the origin of
 * the connection or nowhere.
 *
 * @param base where its API begins
 * @throws ServiceTrouble `broken`
 */
export function followed(link: string, base: string): ServiceRequest {
  const origin = new URL(base);
  const url = URL.canParse(link, origin) ? new URL(link, origin) : null;
  if (url?.origin !== origin.origin)
    throw new ServiceTrouble('broken', `It names a next page at another address: ${link.slice(0, 120)}.`);
  const path = `${url.pathname}${url.search}`;
  if (path.length > MAX_PATH) throw new ServiceTrouble('broken', 'It names a next page by an address without end.');
  return { path };
}

/** A path with its query; what is null or empty is left out. */
export function pathOf(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const said = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  if (said.length === 0) return path;
  return `${path}?${new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}
