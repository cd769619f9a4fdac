import { Client } from 'pg';

/** Made by `initdb`; used by this folder alone. */
export const superuser = 'helpdesk';
export const database = 'helpdesk';

/** Where a role of the embedded PostgreSQL logs in: by its socket, if there is one (libpq and pg take `host` for its directory), else over TCP. */
export function urlOf(role: string, password: string, port: number, socket: string | null): string {
  const url = new URL(`postgresql://${role}:${password}@127.0.0.1:${port}/${database}`);
  if (socket !== null) url.searchParams.set('host', socket);
  return url.href;
}

/** Not yet connected. A connection that is lost does not end the process. */
export function superuserClient(port: number, password: string, name = 'postgres'): Client {
  const address = { host: '127.0.0.1', port, user: superuser, password, database: name };
  const client = new Client({ ...address, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  return client;
}
