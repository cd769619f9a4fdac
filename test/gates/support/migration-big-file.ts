import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../support/api';
import { ServiceServer } from '../../support/old-desks/fake-service';
import { zendeskServer } from '../../support/old-desks/zendesk-server';
import type { Sql } from '../../support/sql';
import { resident } from './processes';
import { type Findings, say } from './verdict';

const MEGABYTE = 1_048_576;
const MOVING = ['validating', 'running'];

/** A file of so many megabytes comes in with a ticket of a service: as it is, and in little memory. */
export async function bigFile({
  api,
  pid,
  megabytes,
  sql,
}: {
  api: Api;
  pid: () => number;
  megabytes: number;
  sql: Sql;
}): Promise<Findings> {
  const old = new ServiceServer();
  await old.receiver.listen();
  try {
    old.become(zendeskServer);
    const size = megabytes * MEGABYTE;
    old.desk.files.push({ id: 700, ticket: 101, comment: null, name: 'small.bin', content: 'x' });
    const chunk = Buffer.alloc(MEGABYTE, 'helpdesk ');
    const hash = createHash('sha256');
    for (let n = 0; n < megabytes; n++) hash.update(chunk);
    old.receiver.answer((request, response) => {
      if (request.path !== '/attachments/token/701') return old.reply(request);
      void (async () => {
        response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
        for (let n = 0; n < megabytes; n++)
          if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
        response.end();
      })();
      return 'hang';
    });
    const job = {
      source: 'zendesk',
      mode: 'import',
      connection: zendeskServer.connection(old.base),
      options: { updated_since: null },
    };
    await migrated(api, job);
    const before = resident(pid());
    old.desk.files.push({ id: 701, ticket: 101, comment: 903, name: 'big.bin', content: '', size });
    say(`An attachment of ${megabytes} MB.`);
    let most = before;
    const began = performance.now();
    await migrated(api, job, () => void (most = Math.max(most, resident(pid()))));
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const rows = await sql.rows<{ sha256: string; size: string }>(
      `SELECT sha256, size FROM attachments WHERE filename = 'big.bin'`,
    );
    const digest = hash.digest('hex');
    const isWhole = rows.length === 1 && rows.every((row) => row.sha256 === digest && Number(row.size) === size);
    return {
      checks: [
        { name: 'large attachments that are missing or differ', value: isWhole ? 0 : 1, target: { most: 0 } },
        {
          name: 'MB of memory more in the worker while it came',
          value: Math.round(most - before),
          target: { most: 60 },
        },
      ],
      facts: { megabytes, big_file_seconds: seconds },
    };
  } finally {
    await old.receiver.close();
  }
}

async function migrated(api: Api, job: object, look: () => void = () => undefined): Promise<void> {
  const { id } = (await api.post('/migration/jobs', job)).expect(201).data;
  const rest = async (): Promise<string> => {
    for (;;) {
      const { status } = (await api.get(`/migration/jobs/${id}`)).expect(200).data;
      if (!MOVING.includes(String(status))) return String(status);
      look();
      await sleep(50);
    }
  };
  (await api.post(`/migration/jobs/${id}/validate`)).expect(200);
  await rest();
  (await api.post(`/migration/jobs/${id}/start`)).expect(200);
  const status = await rest();
  if (status !== 'completed') throw new Error(`A migration ended ${status}.`);
}
