import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export const CONTACTS_SHEET =
  '<row r="1"><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>email</t></is></c></row>' +
  '<row r="2"><c t="str"><v>c1</v></c><c t="s"><v>1</v></c></row>';
const HEAD = ['id', 'subject', 'requester', 'priority', 'Created', 'cost', 'due', 'ok', 'bad'];
export const TICKETS_SHEET =
  `<row r="2">${HEAD.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>` +
  '<row r="3"><c r="A3"><v>17</v></c><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="str"><f>LOWER("HIGH")</f><v>high</v></c>' +
  '<c r="E3" s="1"><v>43525.354166666664</v></c><c r="F3"><v>12.5</v></c><c r="G3" s="2"><v>43526</v></c><c r="H3" t="b"><v>1</v></c>' +
  '<c r="I3" t="e"><v>#N/A</v></c></row>' +
  '<row r="5"><c r="A5"><v>18</v></c><c r="B5" t="inlineStr"><is><t>Login</t></is></c></row>';
const TEXTS =
  '<si><r><t>Paper </t></r><r><rPr><b/></rPr><t>jam</t></r><rPh><t>ignored</t></rPh></si><si><t>paul@old.example</t></si>';

/** A workbook as programs write them. @param sheets rows, by title */
export function book(sheets: Readonly<Record<string, readonly string[]>>, prologue = ''): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, content: string): void =>
    zip.addBuffer(Buffer.from(`<?xml version="1.0"?>${content}`), path);
  const titles = Object.keys(sheets);
  const relation = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const listed = titles.map((title, at) => `<sheet name="${title}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('');
  add('xl/workbook.xml', `<workbook ${relation}><workbookPr/><sheets>${listed}</sheets></workbook>`);
  const targets = titles.map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`);
  add('xl/_rels/workbook.xml.rels', `<Relationships>${targets.join('')}</Relationships>`);
  add('xl/sharedStrings.xml', `<sst>${TEXTS}</sst>`);
  const formats = '<numFmts><numFmt numFmtId="164" formatCode="[$-407]dd\\.mm\\.yyyy\\ hh:mm"/></numFmts>';
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>';
  add('xl/styles.xml', `<styleSheet>${formats}<cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>${styles}</styleSheet>`);
  Object.values(sheets).forEach((lines, at) =>
    add(
      `xl/worksheets/sheet${at + 1}.xml`,
      `${prologue}<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`,
    ),
  );
  zip.end();
  return buffer(zip.outputStream);
}

/** Rows as they come. */
export async function* rows(lines: readonly unknown[][]): AsyncGenerator<unknown[]> {
  for (const line of lines) yield await Promise.resolve(line);
}
