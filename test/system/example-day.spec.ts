import { execFile } from 'node:child_process';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const TICKETS = 24;

function day({ token }: TestWorkspace): Promise<{ code: number; out: string; error: string }> {
  const words = ['day', '--tickets', String(TICKETS), '--url', `${server.url}/v1`, '--token', token];
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/example.mjs', ...words], (error, out, complaint) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: complaint });
    });
  });
}

describe('npm run example -- day', () => {
  it('plays a day of six people and their mail, and says what each did', async () => {
    const workspace = await makeWorkspace(server, { sandbox: true });
    const { code, out, error } = await day(workspace);
    expect([code, error]).toEqual([0, '']);
    for (const name of ['Mara Lindt', 'Jonas Weber', 'Ines Ortega', 'Tom Brandt', 'Lea Moreau', 'Kai Sato'])
      expect(out).toContain(name);
    expect(out).toContain(`Tickets ${TICKETS + 1}, still to be done`);
    const { api } = workspace;
    const tickets = (await api.get('/tickets?per_page=100&sort=id')).expect(200).rows;
    expect(tickets.length).toBe(TICKETS + 1);
    const resolved = tickets.filter(({ status }) => status === 'resolved');
    expect(resolved.length).toBeGreaterThan(TICKETS / 2);
    expect(tickets.every(({ assigned_to }) => assigned_to !== null)).toBe(true);
    expect(resolved.some(({ csat_score }) => csat_score !== null)).toBe(true);
    expect((await api.get('/attachments')).rows.length).toBeGreaterThan(0);
    // What mail looks like and where it belongs the day itself looks at: it would have ended there.
    expect(out).toContain('Ines answered each in its thread');
    expect(out).toContain('the mail to Bert came back');
    for (const told of ['nobody has it', 'took it back from', 'Mara took it out', 'Dora asks to be forgotten'])
      expect(out).toContain(told);
    const merged = tickets.filter(({ merged_into_id: into }) => into !== null);
    const escalated = tickets.filter(({ escalation_level: level }) => Number(level) > 0);
    expect([merged.length, escalated.length]).toEqual([4, 4]);
    expect(out).toMatch(/Mara Lindt .* 4 merged, 4 escalated/);
    // All of it happened on one working day, between nine and half past five in Berlin.
    const hours = tickets.map(({ created_at }: Fields) => Date.parse(String(created_at)) / 3_600_000);
    expect(Math.max(...hours) - Math.min(...hours)).toBeLessThan(9);
    expect([0, 6]).not.toContain(new Date(String(tickets[0]?.created_at)).getUTCDay());
  });

  it('needs a sandbox', async () => {
    const { code, error } = await day(await makeWorkspace(server));
    expect(code).toBe(1);
    expect(error).toContain('This workspace is no sandbox');
  });
});
