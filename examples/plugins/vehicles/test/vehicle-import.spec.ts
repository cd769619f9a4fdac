import type { OpenAPIObject } from '@nestjs/swagger';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { useApp } from 'helpdesk-api/testing/app';
import { insist } from 'helpdesk-api/testing/insist';
import { useSql } from 'helpdesk-api/testing/sql';
import { formOf, sending } from 'helpdesk-api/testing/uploads';
import { until } from 'helpdesk-api/testing/until';
import { makeWorkspace, type TestWorkspace } from 'helpdesk-api/testing/workspace';

const server = useApp();
const sql = useSql();
const CSV = { 'content-type': 'text/csv' };
const ROWS = 100_000;
const HEADER = 'plate,model,status,mileage\n';

const rowsOf = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `B-HD ${from + index},Crafter,free,${index}\n`).join('');

const begin = ({ token }: TestWorkspace) =>
  sending(server.url, '/vehicles/import', { authorization: `Bearer ${token}`, ...CSV });

const vehiclesOf = async ({ api }: TestWorkspace): Promise<unknown> =>
  (await api.get('/vehicles?per_page=1')).expect(200).meta.total;

/** Whether some unit of work has written vehicles and is not over. */
const isWriting = async (): Promise<boolean> => {
  const locks = `SELECT FROM pg_locks WHERE relation = 'vehicles'::regclass AND mode = 'RowExclusiveLock'`;
  return (await sql.rows(locks)).length > 0;
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** MiB that the process holds, garbage aside. */
const held = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
};

describe('an import of vehicles', () => {
  it('takes a form and a file as it is, and what was exported elsewhere', async () => {
    const { api } = await makeWorkspace(server);
    const { type, body } = formOf([
      {
        name: 'file',
        filename: 'fleet.csv',
        type: 'text/csv',
        content: '\uFEFFplate,mileage\r\n"B-HD 1", 7\r\n\r\nB-HD 2,\r\n',
      },
    ]);
    expect((await api.post('/vehicles/import', body, { 'content-type': type })).expect(200).data).toEqual({
      imported: 2,
    });
    const more = await api.post('/vehicles/import', 'mileage,status,plate\n9,broken,B-HD 3', CSV);
    expect(more.expect(200).data).toEqual({ imported: 1 });
    const { rows } = (await api.get('/vehicles?sort=plate&fields=plate,mileage,status,model')).expect(200);
    expect(rows).toEqual([
      { plate: 'B-HD 1', mileage: 7, status: 'free', model: null },
      { plate: 'B-HD 2', mileage: 0, status: 'free', model: null },
      { plate: 'B-HD 3', mileage: 9, status: 'broken', model: null },
    ]);
  });

  it.each([
    ['a value that is none', 'plate,mileage\nB-HD 1,5\nB-HD 2,far\n', 3, 'mileage'],
    ['a plate that is missing', 'plate,mileage\nB-HD 1,5\n,7\n', 3, 'plate'],
    ['a plate twice', 'plate\nB-HD 1\nB-HD 2\n\nb-hd 1\n', 5, 'plate'],
    ['a plate that is known', 'plate\nB-HD 7\nKnown 1\n', 3, 'plate'],
    ['too few columns', 'plate,model\nB-HD 1,Crafter\nB-HD 2\n', 3, 'body'],
    ['a quote that does not end', 'plate\nB-HD 1\n"B-HD 2\n', 3, 'body'],
    ['a wrong line behind a portion', `${HEADER}${rowsOf(1, 700)}B-HD x,Crafter,lost,7\n`, 702, 'status'],
  ])('refuses %s by its line, and makes none of the vehicles', async (_, content, line, field) => {
    const workspace = await makeWorkspace(server);
    await workspace.api.post('/vehicles', { plate: 'Known 1' });
    const { error } = (await workspace.api.post('/vehicles/import', content, CSV)).expect(422);
    expect(error.details).toMatchObject([{ field, line }]);
    expect(error.message).toContain(`Line ${line}: `);
    expect(await vehiclesOf(workspace)).toBe(1);
  });

  it('refuses a column that vehicles do not have', async () => {
    const { api } = await makeWorkspace(server);
    expect((await api.post('/vehicles/import', 'plate,colour\nx,red\n', CSV)).expect(422).error.message).toContain(
      '"colour"',
    );
  });

  it(`takes ${ROWS} rows while they are being sent, in little memory`, async () => {
    const workspace = await makeWorkspace(server);
    const upload = begin(workspace);
    await upload.write(HEADER + rowsOf(ROWS, 1_000));
    await until('rows are being written', isWriting);
    const before = held();
    for (let from = 0; from < ROWS; from += 1_000) await upload.write(rowsOf(from, 1_000));
    upload.end();
    let [most, looks] = [0, 0];
    let isOver = false;
    const answer = upload.answer.finally(() => (isOver = true));
    await until('the rows are written', () => {
      // Collecting garbage is dear.
      if (looks++ % 50 === 0) most = Math.max(most, held() - before);
      return isOver;
    });
    const { status, body } = await answer;
    expect([status, body]).toEqual([200, { data: { imported: ROWS + 1_000 } }]);
    expect(await vehiclesOf(workspace)).toBe(ROWS + 1_000);
    // All of them as objects would be some 60 MiB, as statements several times that.
    expect(most).toBeLessThan(30);
  });

  it('makes none when the sender hangs up in the middle', async () => {
    const workspace = await makeWorkspace(server);
    const upload = begin(workspace);
    await upload.write(HEADER + rowsOf(1, 1_200));
    await until('rows are being written', isWriting);
    upload.hangUp();
    // The plate is free again once the unit of work is undone.
    const made = await insist(() => workspace.api.post('/vehicles', { plate: 'B-HD 1' }));
    made.expect(201);
    expect(await vehiclesOf(workspace)).toBe(1);
  });

  it('makes none when the file is too large', async () => {
    const workspace = await makeWorkspace(server);
    const upload = begin(workspace);
    await upload.write(HEADER + rowsOf(1, 2_000));
    const [blank, most] = [Buffer.alloc(1024 * 1024, '\n'), 32];
    for (let sent = 0; sent < most; sent++) await upload.write(blank);
    const { status, body } = await upload.answer;
    expect([status, body.error]).toMatchObject([413, { type: 'payload_too_large' }]);
    expect(await vehiclesOf(workspace)).toBe(0);
  });

  it('asks for a token first, and for a file that it can read', async () => {
    const nobody = sending(server.url, '/vehicles/import', { ...CSV, expect: '100-continue' });
    expect([(await nobody.answer).status, nobody.isAskedFor]).toEqual([401, false]);
    const { api } = await makeWorkspace(server);
    (await api.post('/vehicles/import', '{}')).expect(415);
  });

  it('is described with both kinds of bodies', async () => {
    const { paths } = (await (await fetch(`${server.url}/v1/openapi.json`)).json()) as OpenAPIObject;
    const binary = { type: 'string', format: 'binary' };
    expect(paths['/vehicles/import']?.post?.requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': { schema: { type: 'object', properties: { file: binary } } },
        'text/csv': { schema: binary },
      },
    });
  });
});
