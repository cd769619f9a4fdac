import type { Api } from '../support/api';
import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
let api: Api;
beforeAll(async () => {
  ({ api } = await makeWorkspace(server));
});

describe.each(['toString', 'valueOf', 'hasOwnProperty', 'constructor'])('a name that every object has (%s)', (name) => {
  it('is refused wherever it stands, and not lost', async () => {
    const hour = { first_response_minutes: 60, resolution_minutes: 60 };
    const urgent = { ...hour, first_response_minutes: { [name]: 1 } };
    const targets = { urgent, high: hour, medium: hour, low: hour };
    const requests: [path: string, field: string, body: object][] = [
      ['/tickets', 'custom_fields', { subject: 'x', custom_fields: { [name]: 'x', floor: 3 } }],
      ['/views', 'filters', { name: 'x', filters: { [name]: 'x' } }],
      ['/sla', 'targets.urgent.first_response_minutes', { name: 'x', targets }],
    ];
    for (const [path, field, body] of requests) {
      const answer = await api.post(path, body);
      expect([path, answer.status, answer.codes]).toEqual([path, 422, { [field]: 'unknown_field' }]);
    }
  });

  it('is no key of a custom field', async () => {
    const field = { object: 'ticket', key: name, label: 'x', type: 'text' };
    expect((await api.post('/custom-fields', field)).expect(422).codes).toEqual({ key: 'invalid' });
  });
});
