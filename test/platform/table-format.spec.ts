import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { ApiError } from '../../src/platform/errors/api-error';
import { csvCell, csvLine } from '../../src/platform/http/table/csv';
import { tableFormatOf } from '../../src/platform/http/table/table-format';
import { TableSlots } from '../../src/platform/http/table/table-slots';
import { workbook } from '../../src/platform/http/table/xlsx';
import { CSV, XLSX } from '../support/tables';
import { thrownBy } from '../support/thrown-by';
import { unzipped } from '../support/zip';

describe('the table that a client prefers', () => {
  const kinds: [accept: string | undefined, kind: string | undefined][] = [
    [undefined, undefined],
    ['*/*', undefined],
    ['application/json, text/plain, */*', undefined],
    [CSV, 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv, */*;q=0.1', 'csv'],
    ['text/csv, */*', 'csv'],
    ['text/csv;q=0.5, application/json', undefined],
    ['text/csv, application/json', undefined],
    ['application/json;q=0.4, text/csv;q=0.5', 'csv'],
    ['text/csv;q=0', undefined],
    ['text/csv;q=0, text/*', undefined],
    ['text/csv;q=nonsense', undefined],
    [XLSX, 'xlsx'],
    [`${XLSX}, ${CSV};q=0.9`, 'xlsx'],
    [`${CSV}, ${XLSX}`, 'csv'],
    ['application/problem+json, text/csv', 'csv'],
  ];
  it.each(kinds)('of %s is %s', (accept, kind) => {
    expect(tableFormatOf(accept)?.kind).toBe(kind);
  });

  it('has a mark and a header as asked', () => {
    expect(tableFormatOf('text/csv; bom=true')).toEqual({ kind: 'csv', hasBom: true, hasHeader: true });
    expect(tableFormatOf('text/csv; header=absent')).toEqual({ kind: 'csv', hasBom: false, hasHeader: false });
  });
});

describe('a cell of CSV', () => {
  const cells: [value: unknown, cell: string][] = [
    [null, ''],
    [undefined, ''],
    [-5, '-5'],
    [1.5, '1.5'],
    [false, 'false'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['one;two', '"one;two"'],
    [' kept ', '" kept "'],
    ['=1+1', "'=1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', `"'\tx"`],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['﹦1', "'﹦1"],
    ['  =1+1', "'  =1+1"],
    ['\u200B=1', "'\u200B=1"],
    ['\uFEFF=1', "'\uFEFF=1"],
    ['=cmd|"/C calc"!A0', `"'=cmd|""/C calc""!A0"`],
    [{ floor: 3 }, '"{""floor"":3}"'],
    [[1, 2], '"[1,2]"'],
    [[], '[]'],
  ];
  it.each(cells)('of %j is %s', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('is read back by a reader of RFC 4180 as it was, but for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 })), (lines) => {
        const text = lines.map(csvLine).join('');
        const read: string[][] = parse(text, { record_delimiter: '\r\n' });
        expect(read.map((line) => line.map((cell) => cell.replace(/^'/, '')))).toEqual(
          lines.map((line) => line.map((cell) => cell.replace(/^'/, ''))),
        );
        for (const cell of read.flat()) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
      }),
    );
  });
});

describe('a workbook', () => {
  async function filesOf(lines: readonly unknown[][], maxRows?: number): Promise<Map<string, Buffer>> {
    const chunks: Buffer[] = [];
    for await (const chunk of workbook(['a', 'b'], asynchronous(lines), maxRows)) chunks.push(chunk as Buffer);
    return unzipped(Buffer.concat(chunks));
  }

  async function* asynchronous<T>(items: readonly T[]): AsyncGenerator<T> {
    for (const item of items) yield await Promise.resolve(item);
  }

  it('has typed cells, and texts that are no formulas', async () => {
    const files = await filesOf([
      [1, '=1+1'],
      [true, null],
      [-2.5, '<a>&\u0000\u0007\r_x0041_'],
      [[1], 'x'.repeat(40_000)],
    ]);
    const sheet = files.get('xl/worksheets/sheet1.xml')?.toString() ?? '';
    expect(sheet).toContain(
      '<row><c><v>1</v></c><c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c></row><row><c t="b"><v>1</v></c><c/></row>',
    );
    expect(sheet).toContain('<c><v>-2.5</v></c>');
    expect(sheet).toContain('&lt;a&gt;&amp;_x000D__x005F_x0041_<');
    expect(sheet).toContain('>[1]<');
    expect(sheet).toContain(`>${'x'.repeat(32_766)}…<`);
    expect(sheet).not.toContain('<f>');
    expect([...files.keys()]).toEqual([
      'xl/worksheets/sheet1.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      '_rels/.rels',
      '[Content_Types].xml',
    ]);
  });

  it('goes on on further sheets, each with the names of the columns', async () => {
    const files = await filesOf([[1], [2], [3], [4], [5]], 3);
    const rows = [1, 2, 3].map(
      (number) => files.get(`xl/worksheets/sheet${number}.xml`)?.toString().split('<row>').length,
    );
    expect(rows).toEqual([4, 4, 3]);
    expect(files.get('[Content_Types].xml')?.toString()).toContain('/xl/worksheets/sheet3.xml');
    expect(files.get('xl/workbook.xml')?.toString()).toContain('<sheet name="Sheet3" sheetId="3" r:id="rId3"/>');
  });

  it('fails as its rows do, and ends them when nobody wants it any more', async () => {
    async function* failing(): AsyncGenerator<unknown[]> {
      yield await Promise.resolve([1]);
      throw new Error('gone');
    }
    await expect(async () => {
      for await (const _chunk of workbook(null, failing()));
    }).rejects.toThrow('gone');
    const ended = new Promise((resolve) => {
      async function* endless(): AsyncGenerator<unknown[]> {
        try {
          for (;;) yield await Promise.resolve(['x'.repeat(1_000)]);
        } finally {
          resolve(true);
        }
      }
      const book = workbook(null, endless());
      book.once('data', () => book.destroy());
    });
    await expect(ended).resolves.toBe(true);
  });
});

describe('places for long tables', () => {
  it('are so many for a workspace, and in all', () => {
    const slots = new TableSlots(2, 3);
    const leave = slots.enter(1);
    slots.enter(1);
    const refusal = (workspaceId: number): number => thrownBy(() => slots.enter(workspaceId), ApiError).status;
    expect(refusal(1)).toBe(429);
    slots.enter(2);
    expect(refusal(3)).toBe(503);
    leave();
    leave();
    slots.enter(3);
    expect(refusal(1)).toBe(503);
  });
});
