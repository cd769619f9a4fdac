import { ApiError } from '../../src/platform/errors/api-error';
import { parseId } from '../../src/platform/http/id';
import { matchesNone } from '../../src/platform/http/if-none-match';
import { linkBase } from '../../src/platform/http/link-base';
import { requestIdOf } from '../../src/platform/http/request-id';
import { RouteTable } from '../../src/platform/http/route-table';
import { fastify } from 'fastify';

describe('If-None-Match', () => {
  it.each(['*', ' * ', '"3"', 'W/"3"', '"1", "3"', 'W/"1",W/"3"'])('%s matches "3"', (header) => {
    expect(matchesNone(header, '"3"')).toBe(true);
  });

  it.each(['', '3', '"33"', '"1", "2"', 'w/"3', '"3'])('%s does not match "3"', (header) => {
    expect(matchesNone(header, '"3"')).toBe(false);
  });
});

describe('the base of links', () => {
  const request = (host: string): { protocol: 'http'; host: string } => ({ protocol: 'http', host });

  it('is PUBLIC_URL when there is one', () => {
    expect(linkBase('https://helpdesk.example', request('evil.example'), 'f:1')).toBe('https://helpdesk.example');
  });

  it.each(['localhost:3000', 'helpdesk.example', '[::1]:3000', '127.0.0.1'])(
    'is the host %s the client used',
    (host) => {
      expect(linkBase(null, request(host), 'fallback:1')).toBe(`http://${host}`);
    },
  );

  it.each(['', 'a b', 'a/b', 'a@b', '"><script>', 'a:999999', 'user:pass@host', '../x'])(
    'is never the host %j',
    (host) => {
      expect(linkBase(null, request(host), 'fallback:1')).toBe('http://fallback:1');
    },
  );
});

describe('a request id', () => {
  it('is the one of the client when it is harmless', () => {
    expect(requestIdOf({ 'x-request-id': 'order-66_A' })).toBe('order-66_A');
  });

  it.each(['', 'a b', 'a\u00e9', 'x'.repeat(65), 'a;b', ['a', 'b']])('is made here instead of %j', (given) => {
    expect(requestIdOf({ 'x-request-id': given })).toMatch(
      /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('sorts by time', () => {
    const ids = Array.from({ length: 1_000 }, () => requestIdOf({}));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an id in a path', () => {
  it('is a positive whole number that JavaScript holds exactly', () => {
    expect(parseId('1')).toBe(1);
    expect(parseId('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(['0', '-1', '01', '1.0', '1e3', ' 1', '', '9007199254740992', '99999999999999999', 'abc', '１'])(
    '%j is not found',
    (text) => {
      expect(() => parseId(text)).toThrow(new ApiError('not_found', 'There is no such record.'));
    },
  );
});

describe('the route table', () => {
  it('knows the methods of the most specific route', () => {
    const server = fastify();
    const table = new RouteTable();
    table.watch(server);
    const answer = (): string => '';
    server.get('/v1/tickets/:id', answer);
    server.patch('/v1/tickets/:id', answer);
    server.post('/v1/tickets/batch', answer);
    server.all('/v1/*', answer);
    expect(table.methodsOf('/v1/tickets/7')).toEqual(['GET', 'HEAD', 'PATCH']);
    expect(table.methodsOf('/v1/tickets/batch')).toEqual(['POST']);
    expect(table.methodsOf('/v1/tickets/')).toEqual([]);
    expect(table.methodsOf('/v1/nothing')).toEqual([]);
  });
});
