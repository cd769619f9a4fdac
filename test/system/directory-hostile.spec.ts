import { useApp } from '../support/app';
import { pushed } from '../support/directory';
import { drained } from '../support/jobs';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

/** Longer than a name may be, with characters of two units where it is cut. */
const long = (letter: string): string => `${letter.repeat(119)}🖨🖨🖨`;

it.each(['light_agent', 'contact'])(
  'somebody with a name beyond all bounds stops nobody of a directory (%s)',
  async (kind) => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const body = { type: 'json', name: 'Head office', users_without_mapping: kind };
    (await api.post('/active-directory/connections', body)).expect(201);
    const users = [pushed('ada'), pushed('odd', { display_name: long('n'), title: long('t') })];
    const { id } = (await api.post('/active-directory/import', { mode: 'full', users })).expect(200).data;
    await drained(server, workspace);
    const run = (await api.get(`/active-directory/sync/runs/${id}`)).expect(200).data;
    expect(run).toMatchObject({ status: 'completed', error: null });
    const path = kind === 'contact' ? '/contacts' : '/users';
    const { rows } = await api.get(`${path}?sort=email&email=odd@acme.example`);
    const title = kind === 'contact' ? 'job_title' : 'title';
    expect(rows).toMatchObject([{ name: `${'n'.repeat(119)}🖨`, [title]: `${'t'.repeat(119)}🖨` }]);
  },
);
