import sharp from 'sharp';
import { crc32, deflateSync } from 'node:zlib';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const smtp = useSmtpServer();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const settings = {
  brand_color: '#0b6e4f',
  brand_address: 'Torstraße 1\n10119 Berlin',
  brand_website: 'https://acme.example',
};

async function upload(content: Buffer, type = 'image/png', filename = 'logo.png'): Promise<number> {
  const headers = {
    authorization: `Bearer ${workspace.token}`,
    'content-type': type,
    'content-disposition': `attachment; filename="${filename}"`,
  };
  const answer = await fetch(`${server.url}/v1/attachments`, {
    method: 'POST',
    headers,
    body: new Uint8Array(content),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { data: { id: number } }).data.id;
}

const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: '#0b6e4f' } })
    .withMetadata({ exif: { IFD0: { Copyright: 'secret place' } } })
    .jpeg()
    .toBuffer();

/** A picture of some bytes that says of itself that it is as large as that. */
function claiming(width: number, height: number): Buffer {
  const part = (name: string, data: Buffer): Buffer => {
    const [size, sum, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(name), data])];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([size, named, sum]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const parts = [part('IHDR', head), part('IDAT', deflateSync(Buffer.alloc(1_000))), part('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

async function withLogo(): Promise<void> {
  const attachment_id = await upload(await picture(1_200, 400), 'image/jpeg', 'logo.jpg');
  (await workspace.api.post('/workspace/logo', { attachment_id })).expect(200);
}

describe('a logo', () => {
  it('is drawn anew from an upload, with an event and an ETag, and can be taken away', async () => {
    (await workspace.api.get('/workspace/logo')).expect(404);
    await withLogo();
    const shown = await workspace.api.get('/workspace');
    expect(shown.data.logo).toMatchObject({ width: 480, height: 160 });
    expect(shown.header('etag')).toBe('"2"');
    const answer = await fetch(`${server.url}/v1/workspace/logo`, {
      headers: { authorization: `Bearer ${workspace.token}` },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.headers.get('content-type'), bytes.length]).toEqual([
      'image/png',
      (shown.data.logo as { size: number }).size,
    ]);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 480, height: 160 });
    expect(bytes.includes('secret place')).toBe(false);
    (await workspace.api.delete('/workspace/logo', { 'if-match': '"1"' })).expect(412);
    expect((await workspace.api.delete('/workspace/logo')).expect(200).data.logo).toBeNull();
    const types = (await eventsOf(server, workspace, 'workspace', workspace.id)).map(({ type }) => type);
    expect(types).toEqual(['workspace.updated', 'workspace.updated']);
  });

  it('is nothing but a picture of one’s own', async () => {
    const other = await makeWorkspace(server);
    const id = await upload(await picture(10, 10), 'image/jpeg', 'small.jpg');
    const refused = async (attachment_id: unknown, api = workspace.api): Promise<unknown> =>
      (await api.post('/workspace/logo', { attachment_id })).expect(422).codes;
    expect(await refused(id, other.api)).toEqual({ attachment_id: 'not_found' });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect(await refused(await upload(svg, 'image/svg+xml', 'a.svg'))).toEqual({ attachment_id: 'format' });
    const broken = (
      await sharp(await picture(300, 300))
        .png()
        .toBuffer()
    ).subarray(0, 200);
    expect(await refused(await upload(broken))).toEqual({ attachment_id: 'unreadable' });
    expect(await refused(await upload(claiming(60_000, 60_000)))).toEqual({ attachment_id: 'unreadable' });
    expect(await refused('x')).toEqual({ attachment_id: 'type' });
  });
});

describe('the brand', () => {
  it.each([
    [{ brand_color: 'red' }, { 'settings.brand_color': 'format' }],
    [{ brand_color: '#12345' }, { 'settings.brand_color': 'format' }],
    [{ brand_website: 'javascript:alert(1)' }, { 'settings.brand_website': 'format' }],
    [{ brand_address: ' ' }, { 'settings.brand_address': 'min' }],
  ])('refuses %j', async (wrong, codes) => {
    const answer = await workspace.api.patch('/workspace', { settings: wrong });
    expect(Object.keys(answer.expect(422).codes)).toEqual(Object.keys(codes));
  });

  it('is on the page that a customer sees, which asks nobody else for anything', async () => {
    (await workspace.api.patch('/workspace', { name: 'Acme <Support>', settings })).expect(200);
    await withLogo();
    const { id } = await makeTicket(workspace.api, { requester_email: 'ada@people.example' });
    (await workspace.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    const url = String((await workspace.api.post(`/tickets/${id}/rating-link`, {})).data.rating_url);
    const answer = await fetch(url);
    const html = await answer.text();
    for (const part of [
      '--accent: #0b6e4f',
      'Acme &lt;Support&gt;',
      'Torstraße 1',
      '>acme.example<',
      'src="data:image/png;base64,',
    ])
      expect(html).toContain(part);
    expect(answer.headers.get('content-security-policy')).toContain('img-src data:');
    expect(html.replaceAll(/<a [^>]*>/g, '')).not.toMatch(/https?:\/\//);
  });

  it('is on mail as it leaves: the logo goes along', async () => {
    (await workspace.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
    (await workspace.api.patch('/workspace', { settings: { ...settings, csat_request: true } })).expect(200);
    await withLogo();
    const { id } = await makeTicket(workspace.api, { requester_email: 'ada@people.example' });
    (await workspace.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    await drained(server, workspace);
    const [taken] = smtp.taken;
    const [logo] = taken?.mail.attachments ?? [];
    expect(logo).toMatchObject({
      contentType: 'image/png',
      cid: 'logo@helpdesk',
      contentDisposition: 'inline',
      related: true,
    });
    expect(taken?.raw).toContain('multipart/related');
    expect(taken?.raw.replaceAll(/=\r\n/g, '')).toContain('cid:logo@helpdesk');
    expect(String(taken?.mail.html)).toContain('border-top:4px solid #0b6e4f');
  });
});
