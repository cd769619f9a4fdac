import { useHostility } from '../support/hostile';
import { bodyOf, slotKinds } from '../support/isolation';
import { fillPath, type Operation } from '../support/operations';

const stage = useHostility();

/** Bodies of which none of the members alone is required. */
const BODIES: Readonly<Record<string, () => Promise<object> | object>> = {
  'POST /contacts/{id}/merge': async () => {
    const { id } = (
      await stage.workspace.api.post('/contacts', { name: 'Second', email: 'second@example.com' })
    ).expect(201).data;
    return { into_id: id };
  },
  'POST /schedules/{id}/holidays/import': () => ({ ical: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR' }),
};

/** What only workspaces or jobs of another kind may, which is looked at first. */
const OF_ANOTHER_KIND = ['POST /sandbox/clock', 'POST /migration/jobs/{id}/files'];

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

async function send(operation: Operation, ifMatch: string): ReturnType<typeof stage.workspace.api.send> {
  const { method, path } = operation;
  const ids = slotKinds(path).map((kind) => stage.own[kind] ?? 0);
  const body = (await BODIES[nameOf(operation)]?.()) ?? bodyOf(operation, stage.own) ?? {};
  const headers = { 'If-Match': ifMatch };
  return stage.workspace.api.send(method, fillPath(path, ids), { headers, ...(method === 'DELETE' ? {} : { body }) });
}

describe('If-Match', () => {
  it('is taken by whatever changes a record, or does something with it', () => {
    const creating = /\/(comments|followers|links|messages|inbound|stages|items|feedback|records|follow-up)$/;
    const others = stage.operations
      .filter(({ method, slots }) => method !== 'GET' && slots.length > 0)
      .filter(({ path, headers }) => !headers.includes('If-Match') && !creating.test(path));
    expect(others.map(nameOf)).toEqual([]);
  });

  it('refuses what was meant for another version, before anything is done', async () => {
    const takers = stage.operations.filter(({ headers }) => headers.includes('If-Match'));
    expect(takers.length).toBeGreaterThan(150);
    const answers: string[] = [];
    for (const operation of takers.filter((each) => !OF_ANOTHER_KIND.includes(nameOf(each)))) {
      const answer = await send(operation, '"999999999"');
      if (answer.status !== 412 || answer.error.type !== 'precondition_failed')
        answers.push(`${nameOf(operation)}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    expect(answers).toEqual([]);
  });
});
