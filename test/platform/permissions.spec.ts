import { Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { Link, OpenedByLink } from '../../src/platform/auth/link.guard';
import { Needs } from '../../src/platform/auth/permission';
import { currentOrNone } from '../../src/platform/context/current';
import { type LinkTarget, PublicLinks } from '../../src/platform/secrets/public-links';
import { Api } from '../support/api';
import { useOwnApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

/** A POST that writes nothing, and one that takes no more than its usual permission. */
@Controller('questions')
class QuestionsController {
  @Post('search')
  @HttpCode(200)
  @Needs('questions.read')
  search(): object {
    return {};
  }

  @Post()
  ask(): object {
    return {};
  }
}

@OpenedByLink('answers', ['answers.read', 'answers.give'])
@Controller('p/answers')
class AnswersController {
  @Get(':token')
  read(@Link() { workspaceId, id }: LinkTarget): object {
    return { workspaceId, id, kind: currentOrNone()?.principal?.kind };
  }

  @Post(':token')
  @HttpCode(200)
  @Needs('answers.give')
  give(): object {
    return {};
  }

  @Post(':token/remove')
  @Needs('answers.remove')
  remove(): object {
    return {};
  }

  @Post(':token/change')
  change(): object {
    return {};
  }
}

@Module({ controllers: [QuestionsController, AnswersController] })
class PermissionsModule {}

const server = useOwnApp({}, { modules: [PermissionsModule] });
const json = { accept: 'application/json' };

it('a route may take another permission than its method says', async () => {
  const { readApi, api } = await makeWorkspace(server);
  (await readApi.post('/questions/search')).expect(200);
  expect((await readApi.post('/questions')).expect(403).error.message).toContain('scope "write"');
  (await api.post('/questions')).expect(201);
});

describe('a link', () => {
  const target = { workspaceId: 7, id: 3 };
  const at = (rest = '', page = 'answers'): string =>
    `${server.url}/p/answers/${server.app.get(PublicLinks).token(page, target)}${rest}`;

  it('opens what it permits', async () => {
    const visitor = new Api(server.url, null);
    expect((await visitor.get(at(), json)).expect(200).data).toEqual({ ...target, kind: 'link' });
    (await visitor.post(at(), undefined, json)).expect(200);
  });

  it.each(['/remove', '/change'])('does not open what it does not permit (%s), to tokens neither', async (rest) => {
    const { token } = await makeWorkspace(server);
    for (const caller of [new Api(server.url, null), new Api(server.url, token)]) {
      const refused = (await caller.post(at(rest), undefined, json)).expect(403);
      expect(refused.error).toMatchObject({ type: 'insufficient_scope', message: 'This link does not allow that.' });
    }
  });

  it('of another page opens nothing', async () => {
    (await new Api(server.url, null).get(at('', 'quotes'), json)).expect(404);
  });
});
