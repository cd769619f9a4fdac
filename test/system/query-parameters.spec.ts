import { Tokens } from '../../src/platform/auth/tokens.service';
import { rationed, useHostility } from '../support/hostile';
import { type Answer, api } from '../support/api';
import { slotKinds } from '../support/isolation';
import { allOperations, fillPath, type Operation } from '../support/operations';
import { until } from '../support/until';

const stage = useHostility();

/** The path of an operation on records that do not exist. */
function nowhere({ path }: Pick<Operation, 'path'>): string {
  return fillPath(
    path,
    slotKinds(path).map(() => 8_999_999_999_999),
  );
}

describe('a parameter that an operation does not declare', () => {
  it('is a 422 on every operation, whether or not there is the record, and says what there is', async () => {
    const share = rationed(['zzz', 'workspace_id', '__proto__', 'toString'], 1);
    for (const operation of stage.operations) {
      for (const name of share(`${operation.method} ${operation.query.includes('page')}`)) {
        const options = operation.body ? { body: {} } : {};
        const answer = await stage.workspace.api.send(operation.method, `${nowhere(operation)}?${name}=1`, options);
        const [detail] = answer.error.details ?? [];
        const code = operation.query.includes('page') ? 'unknown_filter' : 'unknown_parameter';
        const seen = [operation.method, operation.path, answer.status, detail?.field, detail?.code];
        expect(seen).toEqual([operation.method, operation.path, 422, name, code]);
        expect([operation.path, [...(detail?.allowed as string[])].sort()]).toEqual([
          operation.path,
          [...operation.query].sort(),
        ]);
      }
    }
  });

  it('is a 422 although other operations declare it', async () => {
    // What an operation lets in is what it says it allows, as the test above demands of each; here once of each kind.
    const share = rationed(['page', 'fields', 'force', 'from', 'status'], 0);
    for (const operation of stage.operations) {
      const kind = `${operation.method} ${operation.query.includes('page')}`;
      for (const name of share(kind).filter((each) => !operation.query.includes(each))) {
        const answer = await stage.send(operation, `?${name}=1`, operation.body ? {} : undefined);
        expect([operation.method, operation.path, name, answer.status]).toEqual([
          operation.method,
          operation.path,
          name,
          422,
        ]);
      }
    }
  });

  it('changes nothing where the state of the service is asked for: who watches may append what caches do not know', async () => {
    const open = (await allOperations()).filter((operation) => operation.open).map(({ path }) => fillPath(path, []));
    expect(open).toContain('/health');
    for (const path of ['/health', '/ready', `${stage.server.url}/ready`]) {
      // A busy machine is not ready for a moment when PostgreSQL takes long for a sign of life.
      await until(`${path} answers 200`, async () => {
        const { status } = await api(stage.server.url).get(`${path}?zzz=1&zzz=2`);
        expect([path, status]).toEqual([path, status === 503 && path !== '/health' ? 503 : 200]);
        return status === 200;
      });
    }
  });

  it('comes after 401 and 403, which every operation has', async () => {
    const { id: workspaceId, readApi } = stage.workspace;
    const { token } = await stage.server.app.get(Tokens).create({ workspaceId, scopes: ['write'] });
    const writeApi = api(stage.server.url, token);
    for (const { method, path } of stage.operations) {
      const target = `${nowhere({ path })}?zzz=1`;
      const unknown = await api(stage.server.url).send(method, target);
      expect([path, unknown.status, unknown.error.type]).toEqual([path, 401, 'unauthorized']);
      const lacking = await (method === 'GET' ? writeApi : readApi).send(method, target);
      expect([method, path, lacking.status]).toEqual([method, path, 403]);
    }
  });
});

describe('a body where none is taken', () => {
  it('is a 422 for every member, before anything is done; an empty one is none', async () => {
    const bare = stage.operations.filter(({ method, body, uploads }) => method !== 'GET' && !body && !uploads);
    expect(bare.length).toBeGreaterThan(30);
    for (const { method, path } of bare) {
      const send = (body: object): Promise<Answer> => stage.workspace.api.send(method, nowhere({ path }), { body });
      expect([path, (await send({ preview: true, zzz: 1 })).codes]).toEqual([
        path,
        { preview: 'unknown_field', zzz: 'unknown_field' },
      ]);
    }
    const ticket = `/tickets/${stage.own.tickets}`;
    (await stage.workspace.api.patch(ticket, { status: 'resolved' })).expect(200);
    (await stage.workspace.api.post(`${ticket}/reopen`, { status: 'in_progress' })).expect(422);
    (await stage.workspace.api.post(`${ticket}/reopen`, {})).expect(200);
  });
});

describe('a parameter given twice', () => {
  it('is a 422, unless it takes several values', async () => {
    const seen = new Set<string>();
    for (const operation of stage.operations) {
      for (const name of operation.query) {
        const several = operation.parameters[name]?.type === 'array';
        const kind = `${operation.method === 'GET' ? '' : 'write '}${name} ${several}`;
        if (seen.size === seen.add(kind).size) continue;
        const answer = await stage.send(operation, `?${name}=none&${name}=none`);
        const twice = answer.status === 422 && answer.codes[name] === 'duplicate';
        expect([operation.path, name, twice]).toEqual([operation.path, name, !several]);
      }
    }
    expect([seen.has('status true'), seen.has('expand true'), seen.has('sort false')]).toEqual([true, true, true]);
  });

  it('means the same as its values in one', async () => {
    const { api: mine } = stage.workspace;
    for (const status of ['open', 'in_progress', 'on_hold']) {
      (await mine.post('/tickets', { subject: `Twice ${status}`, status })).expect(201);
    }
    const query = 'status=open&status=in_progress,closed&fields=id&fields=status&per_page=1';
    const twice = (await mine.get(`/tickets?${query}`)).expect(200);
    const once = (await mine.get('/tickets?status=open,in_progress,closed&fields=id,status&per_page=1')).expect(200);
    expect([twice.rows, twice.body.links, twice.meta.total]).toEqual([once.rows, once.body.links, once.meta.total]);
    expect(Object.keys(twice.rows[0] ?? {})).toEqual(['id', 'status']);
    expect((await mine.get('/tickets?status=open&status=nonsense')).codes).toEqual({ status: 'enum' });
  });
});

describe('a parameter that an operation requires', () => {
  it('is missing in /search without q', async () => {
    for (const path of ['/search', '/search?limit=5']) {
      const answer = await stage.workspace.api.get(path);
      expect([answer.status, answer.error.missing, answer.codes]).toEqual([422, ['q'], { q: 'required' }]);
    }
  });
});

describe.each(['/integrations/providers', '/integrations/events'])('the list %s', (path) => {
  it('has the envelope of a list', async () => {
    const whole = (await stage.workspace.api.get(path)).expect(200);
    const { total } = whole.meta as { total: number };
    expect(whole.rows).toHaveLength(Math.min(25, total));
    expect(whole.meta).toEqual({ total, limit: 25, offset: 0, has_more: total > 25 });
    expect(Object.keys(whole.body.links ?? {})).toEqual(['first', 'next', 'prev', 'last']);
  });

  it('is read page by page in both dialects', async () => {
    const all = (await stage.workspace.api.get(`${path}?limit=100`)).expect(200).rows;
    for (const start of [`${path}?per_page=2`, `${path}?limit=2&offset=0`]) {
      const seen: unknown[] = [];
      let url: string | null = start;
      while (url !== null) {
        const page = (await stage.workspace.api.get(url)).expect(200);
        expect(page.meta).toMatchObject({ total: all.length, limit: 2, offset: seen.length });
        seen.push(...page.rows);
        url = page.body.links?.next ?? null;
      }
      expect(seen).toEqual(all);
    }
    expect((await stage.workspace.api.get(`${path}?page=999`)).rows).toEqual([]);
  });

  it.each([
    ['page=0', 'page', 'min'],
    ['per_page=101', 'per_page', 'max'],
    ['limit=x', 'limit', 'type'],
    ['page=1&limit=5', 'limit', 'conflict'],
  ])('refuses %s', async (query, field, code) => {
    expect((await stage.workspace.api.get(`${path}?${query}`)).expect(422).codes).toEqual({ [field]: code });
  });
});
