import { Logger } from '@nestjs/common';
import { Api } from '../support/api';
import { useApp } from '../support/app';
import { type Created, helpdesk, json, tokenFor, workspace } from '../support/command';

Logger.overrideLogger(false);

const server = useApp();

describe('helpdesk workspace list and show, token list', () => {
  it('show what is there: tables for people, one document with --json', async () => {
    const { slug, id } = await workspace('--plan', 'pro');
    const { id: tokenId, token } = await tokenFor(slug, '--name', 'Listed');
    const listed = await json<Record<string, unknown>[]>('workspace', 'list');
    expect(listed.find((one) => one['slug'] === slug)).toMatchObject({ id, plan: 'pro', standing: 'active' });
    await json('app', 'suspend', '--workspace', slug);
    expect(await json('workspace', 'show', '--workspace', slug)).toMatchObject({
      slug,
      standing: 'app suspended',
      tokens: 1,
      used_this_month: 0,
      app: { status: 'suspended' },
      owner: { name: 'Command Test', status: 'active' },
    });
    const people = await helpdesk('workspace', 'show', '--workspace', slug);
    expect(people.out).toMatch(/^slug: +command-test/m);
    expect((await helpdesk('workspace', 'list')).out).toMatch(/^ID +SLUG +NAME/);
    const tokens = await json<Record<string, unknown>[]>('token', 'list', '--workspace', slug);
    expect(tokens).toMatchObject([
      { id: tokenId, name: 'Listed', status: 'valid', user: null, scopes: ['read', 'write'] },
    ]);
    expect(JSON.stringify(tokens)).not.toContain(token);
    await json('token', 'revoke', '--id', String(tokenId));
    expect(await json('token', 'list', '--workspace', slug)).toEqual([]);
    expect(await json('token', 'list', '--workspace', slug, '--all')).toMatchObject([{ status: 'revoked' }]);
    expect((await helpdesk('token', 'list', '--workspace', 'nowhere')).error).toBe('There is no workspace "nowhere".');
  });

  it('a name that is there already is refused, unless it is meant', async () => {
    const words = ['workspace', 'create', '--name', `Twice ${Date.now()}`];
    const { slug } = await json<Created>(...words);
    const both = await Promise.all([helpdesk(...words), helpdesk(...words)]);
    for (const { error } of both)
      expect(error).toMatch(/^There is a workspace named "Twice \d+" already \("twice-\d+"\)/);
    expect((await json<Created>(...words, '--again')).slug).toBe(`${slug}-2`);
  });
});

describe('a token that belongs to a user', () => {
  it('says who that is, and "me" means that user', async () => {
    const { slug } = await workspace();
    const owner = new Api(server.url, (await tokenFor(slug)).token);
    const email = 'eve@example.com';
    const { id } = (await owner.post('/users', { name: 'Eve', email, status: 'active' })).expect(201).data;
    const { id: other } = (await owner.post('/users', { name: 'Ada', email: 'ada@example.com' })).expect(201).data;
    await owner.post('/tickets', { subject: 'Hers', assigned_to: id });
    await owner.post('/tickets', { subject: 'Nobody has it' });
    for (const named of [email.toUpperCase(), String(id)]) {
      const { token } = await tokenFor(slug, '--user', named);
      const eve = new Api(server.url, token);
      expect((await eve.get('/me')).expect(200).data['user']).toMatchObject({ id, name: 'Eve', email });
      expect((await eve.get('/tickets?assigned_to=me&fields=subject')).expect(200).rows).toEqual([{ subject: 'Hers' }]);
      const rotated = await json<{ token: string }>('token', 'list', '--workspace', slug);
      expect(JSON.stringify(rotated)).toContain(email);
    }
    const create = ['token', 'create', '--workspace', slug, '--scopes', '*', '--user'];
    expect((await helpdesk(...create, 'nobody@example.com')).error).toMatch(/^There is no user "nobody@example.com"/);
    (await owner.delete(`/users/${other}`)).expect(200);
    expect((await helpdesk(...create, String(other))).error).toMatch(/is deactivated, not active\.$/);
  });
});
