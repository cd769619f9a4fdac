import type { Settings } from './service-source';

/** Where the API of a service begins, whichever it is. */
export const baseOf = (settings: Settings): string => String(settings.base_url);

/** Who asks, by name and password. */
export function basic(name: unknown, password: unknown): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${String(name)}:${String(password)}`).toString('base64')}` };
}

/** Who asks, by a token. */
export const bearer = (token: unknown): { authorization: string } => ({ authorization: `Bearer ${String(token)}` });
