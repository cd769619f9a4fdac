import { parse } from 'csv-parse/sync';
import { type IncomingMessage, request } from 'node:http';

export const CSV = 'text/csv';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The lines of a CSV text, the names of the columns first; read by the rules of RFC 4180 alone. */
export function linesOf(text: string): string[][] {
  return parse(text, { record_delimiter: '\r\n', bom: false });
}

/** The records of a CSV text by the names of its columns. */
export function recordsOf(text: string): Record<string, string>[] {
  const [names = [], ...lines] = linesOf(text);
  return lines.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index] ?? ''])));
}

/** An answer of which nothing is read yet. */
export function opened(url: string, token: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, accept: CSV, ...headers },
    });
    asked.once('error', reject).once('response', resolve).end();
  });
}

/** The rest of an answer; fails when it is cut off. */
export async function restOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
