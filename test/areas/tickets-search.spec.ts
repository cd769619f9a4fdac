import fc from 'fast-check';
import { MAX_TERMS } from '../../src/platform/resource/read/list-query';
import { lineMatches, termsOf } from '../../src/platform/search/terms';
import { wordLine } from '../../src/platform/search/words';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const subjects = async (query: string): Promise<unknown[]> =>
  (await workspace.api.get(`/tickets?${query}`)).expect(200).rows.map(({ subject }) => subject);
const idsFound = async (q: string): Promise<unknown[]> =>
  (await workspace.api.get(`/tickets?q=${encodeURIComponent(q)}&sort=id`)).expect(200).rows.map(({ id }) => id);
const search = (q: string, more = ''): Promise<unknown[]> => subjects(`q=${encodeURIComponent(q)}&sort=id${more}`);

describe('searching tickets', () => {
  it('looks into subject, code and description, for the beginnings of words', async () => {
    const made = [
      { subject: 'Printer jam', description: 'Tray 2 is stuck' },
      { subject: '100% CPU', description: 'on node_1' },
      { subject: 'C:\\temp is full', description: 'It\'s "urgent"' },
      { subject: 'ÜBERTRAGUNG fehlgeschlagen', description: 'printer' },
    ];
    for (const body of made) await makeTicket(workspace.api, body);
    expect(await search('printer')).toEqual(['Printer jam', 'ÜBERTRAGUNG fehlgeschlagen']);
    expect(await search('PRINTER tray')).toEqual(['Printer jam']);
    expect(await search('tck-000002')).toEqual(['100% CPU']);
    expect(await search('übertragung')).toEqual(['ÜBERTRAGUNG fehlgeschlagen']);
    expect(await search('100%')).toEqual(['100% CPU']);
    expect(await search('node_1')).toEqual(['100% CPU']);
    expect(await search('node%1')).toEqual(['100% CPU']);
    expect(await search('1_node')).toEqual([]);
    for (const q of ['%', '\\', '"%"']) {
      expect((await workspace.api.get(`/tickets?q=${encodeURIComponent(q)}`)).expect(422).codes).toEqual({ q: 'min' });
    }
    expect(await search('c:\\temp')).toEqual(['C:\\temp is full']);
    expect(await search("it's")).toEqual(['C:\\temp is full']);
    expect(await search('"tray 2"')).toEqual(['Printer jam']);
    expect(await search('"2 tray"')).toEqual([]);
    expect(await search('zzz')).toEqual([]);
  });

  it('follows changes, and goes with filters, sorts and pages', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 7; index++) {
      const body = { subject: `Alpha ${index}`, priority: index % 2 ? 'high' : 'low' };
      ids.push((await makeTicket(workspace.api, body)).id);
    }
    await workspace.api.patch(`/tickets/${ids[0]}`, { subject: 'Beta 0' });
    await workspace.api.delete(`/tickets/${ids[1]}`);
    expect(await search('alpha')).toEqual(['Alpha 2', 'Alpha 3', 'Alpha 4', 'Alpha 5', 'Alpha 6']);
    expect(await search('alpha', '&priority=high')).toEqual(['Alpha 3', 'Alpha 5']);
    expect(await subjects('q=alpha&sort=-priority&per_page=3')).toEqual(['Alpha 5', 'Alpha 3', 'Alpha 6']);
    const first = (await workspace.api.get('/tickets?q=alpha&sort=-id&per_page=2')).expect(200);
    expect([first.rows.map((row) => row.id), first.meta.total]).toEqual([[ids[6], ids[5]], 5]);
    const next = (await workspace.api.get(first.body.links?.next ?? '')).expect(200);
    expect(next.rows.map((row) => row.id)).toEqual([ids[4], ids[3]]);
    const other = await makeWorkspace(server);
    await makeTicket(other.api, { subject: 'Alpha elsewhere' });
    expect((await workspace.api.get('/tickets?q=elsewhere')).rows).toEqual([]);
  });

  it.each(['', '&status=open&sort=-id'])(
    'tells what has changed, however often it was asked before%s',
    async (more) => {
      const ids: number[] = [];
      for (let index = 0; index < 5; index++)
        ids.push((await makeTicket(workspace.api, { subject: `Gamma ${index}` })).id);
      const told = async (): Promise<unknown> => {
        const answers = [];
        for (let time = 0; time < 4; time++) {
          const { rows, meta } = (await workspace.api.get(`/tickets?q=gamma&per_page=3${more}`)).expect(200);
          answers.push([meta.total, ...rows.map(({ subject, priority }) => `${String(subject)} ${String(priority)}`)]);
        }
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
        return answers[0];
      };
      expect(await told()).toEqual([5, 'Gamma 4 medium', 'Gamma 3 medium', 'Gamma 2 medium']);
      await workspace.api.patch(`/tickets/${ids[3]}`, { priority: 'high' });
      expect(await told()).toEqual([5, 'Gamma 4 medium', 'Gamma 3 high', 'Gamma 2 medium']);
      await workspace.api.patch(`/tickets/${ids[0]}`, { subject: 'Delta' });
      expect(await told()).toEqual([4, 'Gamma 4 medium', 'Gamma 3 high', 'Gamma 2 medium']);
      await workspace.api.delete(`/tickets/${ids[4]}`);
      await makeTicket(workspace.api, { subject: 'Delta', description: 'gammas' });
      expect(await told()).toEqual([4, 'Delta medium', 'Gamma 3 high', 'Gamma 2 medium']);
    },
  );

  it('leads from page to page and back, in the order of creation', async () => {
    for (let index = 0; index < 5; index++) await makeTicket(workspace.api, { subject: `Epsilon ${index}` });
    const seen: unknown[] = [];
    let path = '/tickets?q=epsilon&per_page=2';
    for (const way of ['next', 'next', 'prev', 'prev', 'last'] as const) {
      const page = (await workspace.api.get(path)).expect(200);
      seen.push(page.rows.map(({ subject }) => String(subject).at(-1)).join(''));
      expect(page.meta.total).toBe(5);
      path = page.body.links?.[way] ?? '';
    }
    expect(seen).toEqual(['43', '21', '0', '21', '43']);
    expect(await subjects('q=epsilon&sort=created_at&per_page=2&page=2')).toEqual(['Epsilon 2', 'Epsilon 3']);
    expect(await subjects('q=epsilon&per_page=2&page=9')).toEqual([]);
  });

  it('finds the words of a ticket, whatever their characters, and those alone', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((value) => /\S/.test(value));
    await fc.assert(
      fc.asyncProperty(text, async (subject) => {
        const { id, code } = await makeTicket(workspace.api, { subject: `x${subject}y` });
        // The code is among the words, too: `t` finds every ticket.
        const line = wordLine(`x${subject}y ${String(code)}`);
        for (const q of [`x${subject}y`, `"x${subject.replaceAll('"', ' ')}y"`, subject]) {
          const terms = termsOf(q);
          if (terms.length === 0 || terms.length > MAX_TERMS) continue;
          const found = await workspace.api.get(`/tickets?q=${encodeURIComponent(q)}&sort=-id&per_page=100`);
          const isFound = found.expect(200).rows.some((row) => row.id === id);
          expect([subject, q, isFound]).toEqual([subject, q, lineMatches(line, terms)]);
        }
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it.each([
    ['file name', 'the file_name.txt is lost', ['file_name', 'file_na', 'name.txt', 'file', 'txt lost', '"file name"']],
    ['code', 'PC-4711 does not start', ['pc-4711', 'PC-47', '4711', 'pc', '"pc-4711 does"']],
    [
      'address',
      'from ada.lovelace@example.com',
      ['ada.lovelace@example.com', 'ada.lovelace@ex', 'lovelace', 'example.com'],
    ],
    ['host', 'cannot reach 10.0.0.7', ['10.0.0.7', '10.0', '0.7']],
    ['telephone', 'call +49 (30) 1234-567', ['+49 (30)', '1234-567', '1234', '30']],
    ['umlauts', 'Der Drucker im Büro von Müller', ['buero', 'büro', 'BURO', 'mueller', 'muller drucker']],
    ['no spaces', '印刷機が動きません', ['印刷', '刷機', '機', '"印刷機"', '動きま']],
  ])('finds a %s by its beginning and by each of its parts', async (_, subject, queries) => {
    const { id } = await makeTicket(workspace.api, { subject });
    for (const q of queries) expect([q, await idsFound(q)]).toEqual([q, [id]]);
  });

  it.each([
    ['inside of a word', 'printer', ['rint', 'inter', 'er']],
    ['parts that do not follow each other', 'file the name', ['file_name', '"file name"', 'name.the']],
    ['a quoted word that goes on', 'printers', ['"printer"', '"print"']],
    ['the other order', 'PC-4711', ['4711-pc', '"4711 pc"']],
    ['the end of a part', 'ada@example.com', ['da@example.com', 'ada@xample']],
  ])('does not find %s', async (_, subject, queries) => {
    await makeTicket(workspace.api, { subject });
    for (const q of queries) expect([q, await idsFound(q)]).toEqual([q, []]);
  });
});
