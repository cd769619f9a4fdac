import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/config';
import { eventSchema } from '../../src/platform/openapi/event-schemas';
import { signatureHeaders } from '../../src/platform/outbound/signature';
import { useApp } from '../support/app';
import { useReceiver } from '../support/receiver';
import { until } from '../support/until';
import { subscribe } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace } from '../support/workspace';

const text = readFileSync(join(projectRoot, 'docs', 'webhooks.md'), 'utf8');
const server = useApp();
const receiver = useReceiver();

/** The code of the first block in a language. */
function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no block of ${language}.`);
  return found;
}

/** A value of the table of the test vector. */
function value(name: string): string {
  const row = text
    .split('### Test vector')[1]
    ?.split('\n')
    .find((line) => line.startsWith(`| ${name}`));
  const found = /\| `([^|]*)`\s*\|$/.exec(row ?? '')?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no "${name}" in its test vector.`);
  return found;
}

const vector = {
  id: value('`webhook-id`'),
  timestampSeconds: Number(value('`webhook-timestamp`')),
  body: value('body'),
  secret: value('secret'),
};

it('the test vector is what the service computes, and what anyone would', () => {
  expect(signatureHeaders(vector)).toEqual({
    'X-Service-Signature': value('`X-Service-Signature`'),
    'webhook-id': vector.id,
    'webhook-timestamp': String(vector.timestampSeconds),
    'webhook-signature': value('`webhook-signature`'),
  });
  expect(text).toContain(`body (${Buffer.byteLength(vector.body)} bytes)`);
  expect(createHmac('sha256', vector.secret).update(vector.body).digest('hex')).toBe(value('`X-Service-Signature`'));
});

it('the example of a body has the members of the schema', () => {
  const sample = JSON.parse(block('json')) as object;
  expect(Object.keys(sample)).toEqual([...eventSchema.required]);
});

const languages = [
  { name: 'Node.js', language: 'js', file: 'receiver.mjs', command: process.execPath },
  { name: 'Python', language: 'python', file: 'receiver.py', command: 'python3' },
];
const present = languages.filter(({ command }) => spawnSync(command, ['--version']).status === 0);

it('there is at least the receiver for Node.js to be tried out', () => {
  expect(present.map(({ name }) => name)).toContain('Node.js');
});

describe.each(present)('the receiver for $name', ({ language, file, command }) => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-docs-'));
  let child: ChildProcess | null = null;
  let output = '';

  async function start(secret: string): Promise<string> {
    writeFileSync(join(folder, file), block(language));
    output = '';
    child = spawn('env', [`WEBHOOK_SECRET=${secret}`, 'PORT=0', command, join(folder, file)]);
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
    await until(`the receiver listens: ${output}`, () => /Listening on \d+/.test(output));
    return `http://127.0.0.1:${/Listening on (\d+)/.exec(output)?.[1] ?? ''}/`;
  }

  afterEach(() => {
    child?.kill('SIGKILL');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const handled = (id: string): number => output.split('\n').filter((line) => line.includes(id)).length;

  it.each([vector.secret, 'a-secret-of-my-own-without-prefix'])(
    'takes what is genuine, once, and nothing else, with the secret %s',
    async (secret) => {
      const url = await start(secret);
      const body = JSON.stringify({ type: 'ticket.created', note: 'Grüße' });
      const now = Math.floor(Date.now() / 1_000);
      const send = async (
        timestampSeconds: number,
        sent = body,
        with_ = secret,
        previousSecret?: string,
      ): Promise<number> => {
        const message = { id: 'evt_1', timestampSeconds, body, secret: with_, previousSecret: previousSecret ?? null };
        const response = await fetch(url, { method: 'POST', headers: signatureHeaders(message), body: sent });
        return response.status;
      };
      expect(await send(now, `${body} `)).toBe(401);
      expect(await send(now, body.replace('ü', 'u'))).toBe(401);
      expect(await send(now - 301)).toBe(401);
      // Further ahead than a slow machine takes for what comes before.
      expect(await send(Math.floor(Date.now() / 1_000) + 360)).toBe(401);
      expect(await send(now, body, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(401);
      expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
      expect(handled('evt_1')).toBe(0);
      expect(await send(now)).toBe(204);
      expect(await send(now)).toBe(204);
      // While a rotation overlaps, the receiver may still hold the previous secret.
      expect(await send(now, body, `whsec_${Buffer.alloc(32).toString('base64')}`, secret)).toBe(204);
      await until('the event was handled', () => handled('evt_1') > 0);
      expect(handled('evt_1')).toBe(1);
      expect(output).toContain('ticket.created');
    },
  );

  it('takes what the service delivers', async () => {
    const workspace = await makeWorkspace(server);
    const { id, secret } = await subscribe(workspace, receiver.url, ['company.created']);
    (await workspace.api.patch(`/webhooks/${id}`, { url: await start(secret) })).expect(200);
    (await workspace.api.post('/companies', { name: 'Größenwahn & Söhne 😀' })).expect(201);
    await drained(server, workspace);
    const [delivery] = (await workspace.api.get(`/webhooks/${id}/deliveries`)).rows;
    expect(delivery).toMatchObject({ status: 'succeeded', response_status: 204 });
    await until('the event was handled', () => handled(delivery?.event_id as string) > 0);
    expect(receiver.requests).toEqual([]);
  });
});
