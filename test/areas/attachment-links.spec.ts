import sharp from 'sharp';
import { PublicLinks } from '../../src/platform/secrets/public-links';
import { type TestApp, useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { uploaded } from '../support/uploads';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

/** The link with the address of this server. */
const at = ({ url }: TestApp, link: unknown): string => `${url}${new URL(link as string).pathname}`;

async function status(link: string): Promise<number> {
  const answer = await fetch(link);
  await answer.arrayBuffer();
  return answer.status;
}

describe('a link to a file', () => {
  it('opens it without a token, and nothing else', async () => {
    const { api } = await makeWorkspace(server);
    const file = await uploaded(api, 'for you', 'a.txt');
    (await api.post(`/attachments/${file.id}/link`, {})).expect(422);
    await makeTicket(api, { attachment_ids: [file.id] });
    const { data } = (await api.post(`/attachments/${file.id}/link`, { expires_in_seconds: 60 })).expect(200);
    const link = at(server, data.url);
    const answer = await fetch(link);
    expect([answer.status, await answer.text()]).toEqual([200, 'for you']);
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(link, { headers: { range: 'bytes=0-2' } })).status).toBe(206);
    const end = link.at(-1) === 'A' ? 'B' : 'A';
    expect(await status(`${link.slice(0, -1)}${end}`)).toBe(404);
    (await api.delete(`/attachments/${file.id}`)).expect(200);
    expect(await status(link)).toBe(404);
  });

  it('is dead after its end', async () => {
    const { api, id: workspaceId } = await makeWorkspace(server);
    const file = await uploaded(api, 'x');
    await makeTicket(api, { attachment_ids: [file.id] });
    const links = server.app.get(PublicLinks);
    const token = (expiresAt: Date): string => links.token('attachments', { workspaceId, id: file.id, expiresAt });
    const open = (expiresAt: Date): Promise<number> => status(`${server.url}/p/attachments/${token(expiresAt)}`);
    expect(await open(new Date(Date.now() + 3_600_000))).toBe(200);
    expect(await open(new Date(Date.now() - 2_000))).toBe(404);
  });

  it('opens nothing internal, whatever it was when the link was made', async () => {
    const { api, id: workspaceId } = await makeWorkspace(server);
    const links = server.app.get(PublicLinks);
    const open = (id: number): Promise<number> =>
      status(`${server.url}/p/attachments/${links.token('attachments', { workspaceId, id })}`);
    const ticket = await makeTicket(api);
    const [noted, said, drafted, alone] = [
      await uploaded(api, '1'),
      await uploaded(api, '2'),
      await uploaded(api, '3'),
      await uploaded(api, '4'),
    ];
    await api.post(`/tickets/${ticket.id}/comments`, { body: 'n', is_internal: true, attachment_ids: [noted.id] });
    await api.post(`/tickets/${ticket.id}/comments`, { body: 's', attachment_ids: [said.id] });
    const article = { title: 'A', body: 'B', visibility: 'public', attachment_ids: [drafted.id] };
    const { id } = (await api.post('/kb/articles', article)).expect(201).data;
    expect(await Promise.all([noted, said, drafted, alone].map((file) => open(file.id)))).toEqual([404, 200, 404, 404]);
    for (const file of [noted, drafted, alone]) (await api.post(`/attachments/${file.id}/link`, {})).expect(422);
    for (const next of ['in_review', 'published'])
      (await api.patch(`/kb/articles/${id}`, { status: next })).expect(200);
    expect(await open(drafted.id)).toBe(200);
    (await api.patch(`/kb/articles/${id}`, { visibility: 'internal' })).expect(200);
    expect(await open(drafted.id)).toBe(404);
  });
});

describe('a thumbnail', () => {
  it('is a smaller picture, drawn once', async () => {
    const { api, token } = await makeWorkspace(server);
    const photo = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#2a5' } })
      .jpeg()
      .toBuffer();
    const { id } = await uploaded(api, photo, 'photo.jpg', 'image/jpeg');
    const draw = async (size: string): Promise<[number, string | null, number | undefined]> => {
      const answer = await fetch(`${server.url}/v1/attachments/${id}/thumbnail${size}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      return [answer.status, answer.headers.get('content-type'), width];
    };
    expect(await draw('')).toEqual([200, 'image/webp', 320]);
    expect(await draw('?size=small')).toEqual([200, 'image/webp', 128]);
    expect(await draw('?size=small')).toEqual([200, 'image/webp', 128]);
    (await api.get(`/attachments/${id}/thumbnail?size=huge`)).expect(422);
  });

  it('is refused of what is no picture, is broken, or is a bomb', async () => {
    const { api } = await makeWorkspace(server);
    const text = await uploaded(api, 'x');
    (await api.get(`/attachments/${text.id}/thumbnail`)).expect(404);
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const large = await uploaded(api, bomb, 'b.png', 'image/png');
    expect((await api.get(`/attachments/${large.id}/thumbnail`)).expect(422).codes).toEqual({ id: 'unreadable' });
    const torn = await uploaded(api, bomb.subarray(0, 100), 'c.png', 'image/png');
    (await api.get(`/attachments/${torn.id}/thumbnail`)).expect(422);
  });
});
