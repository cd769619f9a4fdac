import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AttachmentQuota } from '../../src/areas/attachments/upkeep/attachment-quota';
import { ApiError } from '../../src/platform/errors/api-error';
import { testConfig, useApp } from '../support/app';
import { until } from '../support/until';
import { hungUp, sending } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const { folder } = testConfig().files;

afterEach(() => jest.restoreAllMocks());

/** How many files the store has of a workspace. */
function stored({ id }: TestWorkspace): number {
  const base = join(folder, String(id));
  return existsSync(base) ? readdirSync(base).flatMap((part) => readdirSync(join(base, part))).length : 0;
}

const keyed = { 'idempotency-key': 'once', 'content-type': 'text/plain' };

/** An upload whose sender hangs up while its row is being written. @returns lets the writing go on */
async function cutShort({ token }: TestWorkspace, outcome: () => void): Promise<() => void> {
  const quota = server.app.get(AttachmentQuota);
  const claim = quota.claim.bind(quota);
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  let isWriting = false;
  jest.spyOn(quota, 'claim').mockImplementationOnce(async (size) => {
    await claim(size);
    isWriting = true;
    await gate;
    outcome();
  });
  const upload = sending(server.url, '/attachments', { ...keyed, authorization: `Bearer ${token}` });
  await upload.write('whole');
  upload.end();
  await until('the row is being written', () => isWriting);
  await hungUp(server, upload);
  return goOn;
}

it('whose sender hangs up while its row is written is whole, also for who asks again with the same key', async () => {
  const workspace = await makeWorkspace(server);
  const { api, token } = workspace;
  const goOn = await cutShort(workspace, () => undefined);
  goOn();
  await until('the row is there', async () => (await api.get('/attachments')).meta.total === 1);
  const again = (await api.post('/attachments', Buffer.from('whole'), keyed)).expect(201);
  expect(again.header('idempotent-replayed')).toBe('true');
  await until('the second file is gone', () => stored(workspace) === 1);
  const content = await fetch(`${server.url}/v1/attachments/${again.data.id}/content`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([content.status, await content.text()]).toEqual([200, 'whole']);
});

it('whose sender hangs up, and whose row comes to nothing, goes', async () => {
  const workspace = await makeWorkspace(server);
  const goOn = await cutShort(workspace, () => {
    throw new ApiError('validation_error', 'No room.');
  });
  expect(stored(workspace)).toBe(1);
  goOn();
  await until('the file is gone', () => stored(workspace) === 0);
  expect((await workspace.api.get('/attachments')).meta.total).toBe(0);
});
