import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { ImportError } from './api-client.mjs';
import { readTicketFile } from './ticket-file.mjs';

const CONCURRENCY = 8;
const SUBJECT_LENGTH = 80;
const REQUESTERS = 200;
const REFUSALS_SHOWN = 5;
/** What the server says of a ticket that an earlier run made: its key is older than a day, or its category is another one now. */
const KNOWN_ALREADY = new Set(['duplicate', 'idempotency_key_reuse']);
/** Answers that every further row would get too. */
const HOPELESS = new Set([401, 403, 404, 405]);

/**
 * Creates a ticket for every row of a file. Each row has an Idempotency-Key and an external id of its own, made from the
 * file's name and the row, so running it again makes no ticket twice.
 *
 * @param client ApiClient
 * @param onRow called after each row
 * @returns `{ created, known, refused, refusals }`: how many, and the first reasons
 */
export async function importTickets({ client, file, limit, onRow }) {
  const outcome = { created: 0, known: 0, refused: 0, refusals: [] };
  const categories = await Categories.of(client);
  const rows = readTicketFile(file, limit);
  let failed = false;
  const work = async () => {
    try {
      for await (const row of rows) {
        if (failed) return;
        await importRow(client, categories, basename(file), row, outcome);
        onRow();
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  // The rows come from one generator, so each is taken by one of the workers.
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure) throw failure.reason;
  return outcome;
}

async function importRow(client, categories, fileName, row, outcome) {
  const category = row.topic_group === '' ? null : await categories.idOf(row.topic_group);
  const key = keyOf(fileName, row);
  const { status, headers, body } = await client.request('POST', '/tickets', {
    body: ticketOf(row, key, category),
    key,
  });
  if (status === 201 && !headers.has('idempotent-replayed')) outcome.created++;
  else if (status === 201 || isKnown(body)) outcome.known++;
  else if (HOPELESS.has(status)) throw new ImportError(reasonOf(status, body));
  else {
    outcome.refused++;
    if (outcome.refusals.length < REFUSALS_SHOWN) outcome.refusals.push(`Row ${row.row}: ${reasonOf(status, body)}`);
  }
}

/** The ticket of a row. The addresses are invented (example.com), the same ones on every run. */
function ticketOf({ document, topic_group }, key, categoryId) {
  const person = String((Number.parseInt(key.slice(-8), 16) % REQUESTERS) + 1).padStart(3, '0');
  return {
    subject: subjectOf(document),
    description: document,
    requester_email: `user${person}@example.com`,
    external_id: key,
    ...(categoryId === null ? {} : { category_id: categoryId, tags: [tagOf(topic_group)] }),
  };
}

/** The beginning of a text, cut between words. */
export function subjectOf(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= SUBJECT_LENGTH) return line;
  const head = line.slice(0, SUBJECT_LENGTH + 1);
  const end = head.lastIndexOf(' ');
  return `${end > 0 ? head.slice(0, end) : line.slice(0, SUBJECT_LENGTH)}…`;
}

function tagOf(group) {
  return group
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 50);
}

function keyOf(fileName, { row, document, topic_group }) {
  const content = [fileName, row, document, topic_group].join('\0');
  return `import-${createHash('sha256').update(content).digest('hex').slice(0, 40)}`;
}

function isKnown({ error }) {
  return (error?.details ?? []).some(
    ({ field, code }) => KNOWN_ALREADY.has(code) && ['external_id', 'Idempotency-Key'].includes(field),
  );
}

function reasonOf(status, { error }) {
  return error?.message ?? `The server answered ${status}.`;
}

/** Categories by name, case aside; those that are missing are created when they are first needed. */
class Categories {
  #ids = new Map();

  static async of(client) {
    const categories = new Categories();
    categories.client = client;
    for (const { id, name } of await client.all('/categories?parent_id=none&fields=id,name&per_page=100')) {
      categories.#ids.set(name.toLowerCase(), Promise.resolve(id));
    }
    return categories;
  }

  idOf(name) {
    const known = this.#ids.get(name.toLowerCase());
    if (known !== undefined) return known;
    const made = this.#create(name);
    this.#ids.set(name.toLowerCase(), made);
    return made;
  }

  async #create(name) {
    const { status, body } = await this.client.request('POST', '/categories', { body: { name } });
    if (status !== 201) throw new ImportError(`Category "${name}" cannot be created: ${reasonOf(status, body)}`);
    return body.data.id;
  }
}
