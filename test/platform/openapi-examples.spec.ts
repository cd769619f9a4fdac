import type { OpenAPIObject } from '@nestjs/swagger';
import Ajv2020 from 'ajv/dist/2020';
import { documentOfRun } from '../support/document';
import { asDocument, type Schema } from '../../src/platform/openapi/document';
import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

let document: OpenAPIObject;
beforeAll(async () => {
  document = await documentOfRun();
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

  it('of members make up an example of each answer that its schema accepts', () => {
    const { schemas } = asDocument(document).components;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'helpdesk', components: document.components });
    const answers = Object.keys(schemas).filter(
      (name) => /(Answer|List)$/.test(name) && schemas[name]?.properties?.data,
    );
    const refused = answers.filter((name) => {
      const made = composed(schemas[name], schemas);
      return !ajv.validate({ $ref: `helpdesk#/components/schemas/${name}` }, made);
    });
    expect(refused).toEqual([]);
    expect(answers.length).toBeGreaterThan(50);
    const ticket = composed(schemas.TicketAnswer, schemas) as { data: object };
    expect(ticket.data).toMatchObject({ code: 'TCK-000123', subject: 'Printer on floor 3 is jammed', status: 'open' });
  });
});

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2030-06-03T09:00:00.000Z',
  date: '2030-06-03',
  email: 'ada@example.com',
  uri: 'https://help.example.com',
};

/** What references show for a schema: its example, else one made of its required members. */
function composed(schema: Schema = {}, schemas: Readonly<Record<string, Schema>>): unknown {
  const { $ref, example, enum: values, anyOf, oneOf, type, items, properties = {}, required = [] } = schema;
  if (example !== undefined) return example;
  if ($ref !== undefined) return composed(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  if (values) return values[0];
  const [branch] = anyOf ?? oneOf ?? [];
  if (branch) return composed(branch, schemas);
  const [first] = [type].flat();
  if (first === 'array') return [composed(items, schemas)];
  if (first === 'integer' || first === 'number') return 1;
  if (first === 'boolean') return true;
  if (first === 'string') return TEXTS[schema.format ?? ''] ?? 'text';
  return Object.fromEntries(required.map((name) => [name, composed(properties[name], schemas)]));
}
