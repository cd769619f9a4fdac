import { Client, type Entry, type SearchOptions } from 'ldapts';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure, type ConnectionOptions } from 'node:tls';
import { DirectoryUnreadable } from '../runs/reading';
import type { LdapConfig } from './ldap-config';
import { ldapFailure } from './ldap-failure';

const CONNECT_MS = 10_000;

/** A server that has let us in. Ends with {@link LdapSession.end}. */
export class LdapSession {
  private constructor(
    private readonly client: Client,
    private readonly config: LdapConfig,
  ) {}

  /**
   * Connects to an address that was looked at before, encrypts, checks the certificate against the name of the server, and only then
   * signs in.
   *
   * @throws DirectoryUnreadable
   */
  static async open(config: LdapConfig, address: string): Promise<LdapSession> {
    const isSecure = config.tls === 'ldaps';
    const port = config.port ?? (isSecure ? 636 : 389);
    const options: ConnectionOptions = {
      ...(isIP(config.host) ? {} : { servername: config.host }),
      ...(config.ca === undefined ? {} : { ca: config.ca }),
      ...{ host: address, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    };
    const client = new Client({
      url: `${isSecure ? 'ldaps' : 'ldap'}://${isIP(address) === 6 ? `[${address}]` : address}:${port}`,
      timeout: config.timeout_seconds * 1_000,
      connectTimeout: CONNECT_MS,
      strictDN: false,
      createConnection: () => connectPlain({ host: address, port }),
      ...(isSecure ? { createSecureConnection: () => connectSecure({ ...options, port }) } : {}),
    });
    const session = new LdapSession(client, config);
    try {
      if (!isSecure) await client.startTLS(options);
      await client.bind(config.bind_dn, config.bind_password);
      return session;
    } catch (error) {
      await session.end();
      throw ldapFailure(error, config.host);
    }
  }

  /** All entries that a filter finds, page by page. @throws DirectoryUnreadable */
  async *entries(base: string, options: SearchOptions): AsyncGenerator<Entry[]> {
    try {
      const paged = { pageSize: this.config.page_size };
      for await (const { searchEntries } of this.client.searchPaginated(base, { scope: 'sub', ...options, paged })) {
        // A connection that came back by itself is nobody's: what it answers is what strangers see.
        this.requireBound();
        yield searchEntries;
      }
    } catch (error) {
      throw ldapFailure(error, this.config.host);
    }
  }

  /** One entry; null when there is none that we see. The empty DN is the server itself. @throws DirectoryUnreadable */
  async entry(dn: string, options: SearchOptions): Promise<Entry | null> {
    try {
      const { searchEntries } = await this.client.search(dn, { ...options, scope: 'base' });
      this.requireBound();
      return searchEntries[0] ?? null;
    } catch (error) {
      const failure = ldapFailure(error, this.config.host);
      if (failure.code === 'base_dn') return null;
      throw failure;
    }
  }

  async end(): Promise<void> {
    await this.client.unbind().catch(() => undefined);
  }

  private requireBound(): void {
    if (!this.client.isBound)
      throw new DirectoryUnreadable('unreachable', `${this.config.host} broke off the connection.`);
  }
}
