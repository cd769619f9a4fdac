import { join } from 'node:path';
import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { Public } from '../../src/platform/auth/public.decorator';
import { ApiError } from '../../src/platform/errors/api-error';
import { type Template, template } from '../../src/platform/http/template';
import { NO_BRAND } from '../../src/platform/brand/brand';
import { publicPage } from '../../src/platform/http/public-page';
import type { FileResult } from '../../src/platform/http/results';
import { PublicLinks } from '../../src/platform/secrets/public-links';
import { useApp } from '../support/app';
import { thrownBy } from '../support/thrown-by';

const probe: Template<{ text: string }> = template(join(__dirname, '../support'), 'probe-page');

class Answer {
  @IsIn(['yes', 'no'])
  answer: string;

  @IsString()
  @MaxLength(20)
  why: string;
}

@Public()
@Controller('p/probe')
class PageController {
  constructor(private readonly links: PublicLinks) {}

  @Get(':token')
  show(@Param('token') token: string): FileResult {
    const { id } = this.links.open('probe', token);
    return publicPage({ title: 'Probe <1>', content: probe({ text: `record ${id} & "more"` }), brand: NO_BRAND });
  }

  @Post(':token')
  take(@Param('token') token: string, @Body() body: Answer): FileResult {
    this.links.open('probe', token);
    return publicPage({
      title: 'Thanks',
      content: probe({ text: `${body.answer}, because ${body.why}` }),
      brand: NO_BRAND,
    });
  }
}

@Module({ controllers: [PageController] })
class PageModule {}

const server = useApp({}, { modules: [PageModule] });
const links = (): PublicLinks => server.app.get(PublicLinks);
const target = { workspaceId: 7, id: 42 };
const path = (token: string): string => `${server.url}/p/probe/${token}`;
const post = (token: string, body: string, type = 'application/x-www-form-urlencoded'): Promise<Response> =>
  fetch(path(token), { method: 'POST', body, headers: { 'content-type': type } });

it('shows a page without a token and without scripts, everything escaped', async () => {
  const answer = await fetch(path(links().token('probe', target)));
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(text).toContain('<p>record 42 &amp; &quot;more&quot;</p>');
  expect(text).toContain('<h1>Probe &lt;1&gt;</h1>');
  expect(text).not.toContain('<script');
});

it('takes what a form sends, and checks it', async () => {
  const token = links().token('probe', target);
  const taken = await post(token, 'answer=yes&why=it+was+%3Cgood%3E');
  expect([taken.status, await taken.text()]).toEqual([
    200,
    expect.stringContaining('yes, because it was &lt;good&gt;'),
  ]);
  const refused = await post(token, 'answer=perhaps&why=x');
  expect(refused.status).toBe(422);
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect((await post(token, '<x/>', 'text/xml')).status).toBe(415);
});

it('opens nothing with a link that was altered, has ended or belongs elsewhere', async () => {
  const token = links().token('probe', target);
  const ended = links().token('probe', { ...target, expiresAt: new Date(Date.now() - 1000) });
  const altered = token.replace(/^7/, '8');
  for (const wrong of [altered, ended, links().token('quotes', target), 'x', `${token}A`, '%00', '1-1-0-']) {
    const answer = await fetch(path(wrong));
    expect([wrong, answer.status]).toEqual([wrong, 404]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  }
  expect(links().open('probe', token)).toEqual({ ...target, expiresAt: null });
  expect(thrownBy(() => links().open('probe', altered), ApiError)).toMatchObject({ type: 'not_found' });
});

it('leaves forms out of the API', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await fetch(`${server.url}/v1/tickets`, { method: 'POST', body: 'subject=x', headers })).status).toBe(401);
});
