import type { OpenAPIObject } from '@nestjs/swagger';
import { buildOpenApiDocument } from '../../src/app';
import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

let document: OpenAPIObject;
beforeAll(async () => {
  document = await buildOpenApiDocument();
});

/** What Swagger UI sends when somebody presses "Execute" without touching anything. */
function bodyOf(path: string, method: 'post' | 'patch'): object {
  const body = document.paths[path]?.[method]?.requestBody;
  if (!body || '$ref' in body) throw new Error(`${method} ${path} has no body.`);
  return body.content['application/json']?.example as object;
}

describe('the examples of the OpenAPI document', () => {
  it('create and change records as they stand', async () => {
    const { api } = await makeWorkspace(server);
    const collections = [
      '/teams',
      '/users',
      '/companies',
      '/contacts',
      '/categories',
      '/tickets',
      '/assets',
      '/meetings/types',
      '/meetings',
    ];
    for (const path of collections) {
      const body = { ...bodyOf(path, 'post'), ...(path === '/users' ? { team_ids: [] } : {}) };
      const { id } = (await api.post(path, body)).expect(201).data;
      const change = { ...bodyOf(`${path}/{id}`, 'patch'), ...(path === '/users' ? { team_ids: [] } : {}) };
      (await api.patch(`${path}/${id}`, change)).expect(200);
    }
    const { data } = (await api.post('/tickets/batch', bodyOf('/tickets/batch', 'post'))).expect(200);
    expect(data).toMatchObject({ summary: { failed: 0, skipped: 0 } });
  });

  it('fill no filter of a list', () => {
    const filled = Object.entries(document.paths).flatMap(([path, item]) =>
      (item.get?.parameters ?? [])
        .filter((parameter) => 'in' in parameter && parameter.in === 'query' && !parameter.required)
        .filter((parameter) => JSON.stringify(parameter).includes('"example"'))
        .map((parameter) => `${path} ${JSON.stringify(parameter)}`),
    );
    expect(filled).toEqual([]);
  });
});
