import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { makePerson, type Person } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
/** Sees the tickets that they have. */
let solo: Person;
let own: Fields;
let foreign: Fields;

beforeAll(async () => {
  home = await makeWorkspace(server);
  solo = await makePerson(server, home, { ticket_scope: 'assigned', role: 'agent' });
  own = await makeTicket(home.api, { assigned_to: solo.id });
  foreign = await makeTicket(home.api);
});

/** What a correction by `api` comes to. */
async function corrected(task: string, value: string, api = home.api): Promise<object> {
  const made = (await api.post('/ai-engine/predictions', { ticket_id: own.id, task })).expect(201).data;
  const answer = await api.post(`/ai-engine/predictions/${made.id}/review`, { status: 'corrected', value });
  const [detail] = answer.status === 422 ? (answer.error.details ?? []) : [];
  return detail ?? answer.expect(200).data;
}

describe('what a review says is true', () => {
  it.each([
    ['sentiment', 'very_negative', ['very_negative', 'negative', 'neutral', 'positive', 'very_positive']],
    ['priority', 'high', ['low', 'medium', 'high', 'urgent']],
    ['csat_risk', 'satisfied', ['satisfied', 'dissatisfied']],
    ['sla_breach_risk', 'met', ['met', 'breached']],
  ])('is one of the values of %s', async (task, value, allowed) => {
    expect(await corrected(task, 'banana')).toMatchObject({ field: 'value', code: 'enum', allowed });
    expect(await corrected(task, value)).toMatchObject({ status: 'corrected', actual_value: value });
  });

  it.each(['banana', '-1', '1.5', '007', '1e3', '1234567890'])('is a number of minutes, not %s', async (value) => {
    expect(await corrected('resolution_time', value)).toMatchObject({ field: 'value', code: 'format' });
  });

  it('is a number of minutes from 0 on', async () => {
    for (const value of ['0', '90', '525600'])
      expect(await corrected('resolution_time', value)).toMatchObject({ actual_value: value });
  });

  it('is a language by its tag, written as tags are', async () => {
    for (const value of ['no such', 'e', '12', 'very long words'])
      expect(await corrected('language', value)).toMatchObject({ code: 'format' });
    expect(await corrected('language', 'PT-br')).toMatchObject({ actual_value: 'pt-BR' });
  });

  it('is another ticket, which is there and whoever reviews sees', async () => {
    for (const value of ['banana', '0', '8999999', `${foreign.id}.0`])
      expect(await corrected('duplicate', value)).toMatchObject({ field: 'value', code: 'not_found' });
    expect(await corrected('duplicate', String(own.id))).toMatchObject({ code: 'conflict' });
    expect(await corrected('duplicate', String(foreign.id), solo.api)).toMatchObject({ code: 'not_found' });
    expect(await corrected('duplicate', String(foreign.id))).toMatchObject({ actual_value: String(foreign.id) });
  });
});
