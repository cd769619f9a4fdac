import { Client } from 'pg';

/** Made by `initdb`; used by this folder alone. */
export const superuser = 'helpdesk';
export const database = 'helpdesk';

/** Where a role of the embedded PostgreSQL logs in. */
export function urlOf(role: string, password: string, port: number): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
}

/** Not yet connected. A connection that is lost does not end the process. */
export function superuserClient(port: number, password: string, name = 'postgres'): Client {
  const address = { host: '127.0.0.1', port, user: superuser, password, database: name };
  const client = new Client({ ...address, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  return client;
}
