import { useApp } from '../support/app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;

beforeAll(async () => {
  home = await makeWorkspace(server);
});

/** Outside of the first 65,536 characters: two units each. */
const letters = (count: number): string => '\u{1D4B3}'.repeat(count);

describe('bounds count characters', () => {
  it.each([
    ['/tickets?q=', 500, { q: 'max' }],
    ['/views/counts?resource=', 64, { resource: 'max' }],
    ['/migration/jobs/JOB/records?external_id=', 255, { external_id: 'max' }],
  ])('of %s', async (path, max, codes) => {
    const { id } = (await home.api.post('/migration/jobs', { source: 'api' })).expect(201).data;
    const asked = (count: number): string => `${path.replace('JOB', String(id))}${encodeURIComponent(letters(count))}`;
    (await home.api.get(asked(max))).expect(200);
    expect((await home.api.get(asked(max + 1))).expect(422).codes).toEqual(codes);
  });

  it('of texts in conditions, actions and mappings', async () => {
    const rule = (value: string, body: string): object => ({
      name: 'Letters',
      trigger: 'ticket.created',
      conditions: { all: [{ field: 'subject', operator: 'contains', value }] },
      actions: [{ type: 'add_comment', body }],
    });
    (await home.api.post('/automations', rule(letters(1_000), letters(10_000)))).expect(201);
    (await home.api.post('/automations', rule(letters(1_001), 'x'))).expect(422);
    const job = (value: string): object => ({ source: 'csv', mapping: { tickets: { defaults: { subject: value } } } });
    (await home.api.post('/migration/jobs', job(letters(1_000)))).expect(201);
    (await home.api.post('/migration/jobs', job(letters(1_001)))).expect(422);
  });
});
