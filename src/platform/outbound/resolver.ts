import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a host name; rejects when it has none. The signal ends the search. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

const TRY_MS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers, not the operating system: its resolver blocks one of the process's four I/O threads per name,
 * and four names whose servers never answer would stop everything else.
 *
 * @param hosts also asks the operating system when the name servers know nothing: names of `/etc/hosts` and of search
 *   domains, for installations that let webhooks into their own network
 */
export function createResolver(hosts: boolean): ResolveName {
  return async (name, signal) => {
    // Never asked of name servers (RFC 6761).
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length > 0) return found;
      if (hosts && !signal.aborted) return (await lookup(name, { all: true })).map(({ address }) => address);
      throw new Error(`${name} has no address.`);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
