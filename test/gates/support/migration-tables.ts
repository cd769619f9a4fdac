import { parse } from 'csv-parse/sync';
import { stringify } from 'node:querystring';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A row in so many is malformed, each in another way. */
const BAD_EVERY = 100;
const PEOPLE = 500;
const START = Date.UTC(2019, 0, 1);
const STATES = ['New', 'Open', 'Waiting', 'Solved', 'Closed'];
const PRIORITIES = ['low', 'medium', 'high', 'urgent'];

/** Files of an old desk. */
export interface OldTables {
  /** By entity. */
  files: Readonly<Record<string, string>>;
  tickets: number;
  comments: number;
  /** Rows that no record can come of, and comments that lack their ticket for that. */
  malformed: number;
  orphans: number;
}

/** Texts of real tickets, over and over, or of none where there is no corpus. @param file CSV with the column `document`, gzipped if it ends in `.gz` */
function textsOf(file: string | undefined): string[] {
  if (file === undefined)
    return Array.from(
      { length: 997 },
      (_, n) => `request ${n} about the printer on floor ${n % 9}, which does not work since ${n % 28} days`,
    );
  const bytes = readFileSync(file);
  const csv = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return parse<{ document: string }>(csv, { columns: true }).map(({ document }) => document);
}

/** Writes tickets with comments and customers as tables into a folder; one row in a hundred is malformed. */
export function oldTables(folder: string, corpus: string | undefined, wanted: number): OldTables {
  const texts = textsOf(corpus);
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const moment = (n: number): string => new Date(START + n * 60_000).toISOString();
  const tickets = ['Ticket ID,Subject,Description,State,Priority,Requester,Category,Created,Updated,Order number'];
  const comments = ['ID,Ticket,Body,Author,Private,Created'];
  let [malformed, orphans] = [0, 0];
  for (let n = 0; n < wanted; n++) {
    const text = texts[n % texts.length] ?? '';
    const person = `person${n % PEOPLE}@old.example`;
    const said = [
      ...[
        `T${n}`,
        cell(text.slice(0, 60) || 'Request'),
        cell(text),
        STATES[n % STATES.length],
        PRIORITIES[n % PRIORITIES.length],
      ],
      ...[person, `Category ${n % 8}`, moment(n), moment(n + 90), `A-${n}`],
    ];
    const isBad = n % BAD_EVERY === BAD_EVERY - 1;
    if (isBad) malformed++;
    tickets.push((isBad ? broken(said, Math.floor(n / BAD_EVERY)) : said).join(','));
    if (isBad) orphans++;
    const body = cell(`We look into it: ${text.slice(0, 120)}`);
    comments.push(
      [`C${n}`, `T${n}`, body, n % 3 === 0 ? person : 'nobody@old.example', 'no', moment(n + 30)].join(','),
    );
  }
  const contacts = [
    'id,name,email',
    ...Array.from({ length: PEOPLE }, (_, n) => `P${n},Person ${n},person${n}@old.example`),
  ];
  const files: Record<string, string> = {};
  for (const [entity, lines] of Object.entries({ contacts, tickets, ticket_comments: comments })) {
    files[entity] = join(folder, `${entity}.csv.gz`);
    writeFileSync(files[entity], gzipSync(lines.join('\n')));
  }
  return { files, tickets: wanted, comments: wanted, malformed, orphans };
}

/** The same row in a way in which it is none: a state that nobody knows, too many cells, a day that never was, NUL. */
function broken(cells: readonly (string | undefined)[], way: number): (string | undefined)[] {
  const put = (place: number, text: string): (string | undefined)[] =>
    cells.map((each, at) => (at === place ? text : each));
  switch (way % 4) {
    case 0:
      return put(3, 'nobody knows');
    case 1:
      return [...cells, 'one', 'too', 'many'];
    case 2:
      return put(7, '2019-02-30');
    default:
      return put(1, 'a\0b');
  }
}

/** What is asked for with a file. */
export const filePath = (id: number, entity: string): string => `/migration/jobs/${id}/files?${stringify({ entity })}`;
