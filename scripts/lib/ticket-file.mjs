import { parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './api-client.mjs';

const COLUMNS = ['document', 'topic_group'];

/**
 * Streams the rows of a CSV file (`.csv` or `.csv.gz`) with the columns `document` and `topic_group`.
 *
 * @param limit most rows to read
 * @yields `{ row, document, topic_group }`; `row` counts from 1, without the heading
 * @throws ImportError when the file cannot be read or is not such a file
 */
export async function* readTicketFile(file, limit) {
  await checkFile(file);
  const parser = parse({ columns: heading, bom: true, skip_empty_lines: true, trim: true, to: limit });
  const source = createReadStream(file);
  const steps = file.endsWith('.gz') ? [source, createGunzip(), parser] : [source, parser];
  // The error reaches the loop below through the parser.
  pipeline(steps, () => undefined);
  let row = 0;
  try {
    for await (const { document, topic_group } of parser) yield { row: ++row, document, topic_group };
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${basename(file)} cannot be read after row ${row} (${error.message}); it must be a CSV file, gzipped when its name ends with .gz.`,
    );
  }

  function heading(names) {
    const missing = COLUMNS.filter((name) => !names.includes(name));
    if (missing.length) {
      throw new ImportError(
        `${basename(file)} has no column "${missing.join('" and "')}"; its first line must name document and topic_group.`,
      );
    }
    return names;
  }
}

/** How many rows there are, at most `limit`. */
export async function countRows(file, limit) {
  let rows = 0;
  for await (const { row } of readTicketFile(file, limit)) rows = row;
  return rows;
}

async function checkFile(file) {
  const found = await stat(file).catch(() => null);
  if (found === null) throw new ImportError(`There is no file ${file}.`);
  if (!found.isFile()) throw new ImportError(`${file} is not a file.`);
}
