import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {} from '../fastify-request';
import { csvLine } from './csv';
import { cellsOf, headingOf, type Records, type Table } from './table';
import { TABLE_TYPES } from './table-format';
import { TableSlots } from './table-slots';
import { workbook } from './xlsx';

/** Characters that are sent at once; others have their turn after them. */
const CHUNK = 16 * 1_024;

/**
 * Answers lists as tables: what is there of the first page leaves at once, the rest as it is read, no faster than the client takes it.
 * There is no ETag: what comes later is not known when the headers leave.
 */
export class TableAnswers {
  constructor(private readonly slots = new TableSlots()) {}

  /**
   * The body, with its headers on the reply; nothing for HEAD.
   *
   * @param first the records of the first page
   * @throws ApiError 429, 503 when too many long tables are under way
   */
  answer(first: readonly object[], table: Table, request: FastifyRequest, reply: FastifyReply): Readable | undefined {
    const leave = this.place(table, request);
    const { kind, hasHeader } = table.format;
    const parameters = kind === 'csv' ? `; charset=utf-8; header=${hasHeader ? 'present' : 'absent'}` : '';
    void reply.headers({
      'content-type': TABLE_TYPES[kind] + parameters,
      'content-disposition': `attachment; filename="${table.name}.${kind}"`,
    });
    if (request.method === 'HEAD') return undefined;
    // It is ended when the client goes, or stands still until the connection times out; so is the reading.
    return streamOf(first, table).once('close', leave);
  }

  private place({ rest }: Table, { helpdesk, method }: FastifyRequest): () => void {
    const { workspaceId } = helpdesk;
    return rest === null || workspaceId === null || method === 'HEAD' ? () => undefined : this.slots.enter(workspaceId);
  }
}

/** A table as bytes. @param first the records of the first page */
export function streamOf(first: readonly object[], table: Table): Readable {
  const all = records(first, table.rest);
  return table.format.kind === 'csv' ? Readable.from(csv(table, all), { objectMode: false }) : xlsx(table, all);
}

async function* records(first: readonly object[], rest: Table['rest']): AsyncGenerator<readonly object[]> {
  yield first;
  if (rest) yield* rest();
}

async function* csv({ format, columns }: Table, all: Records): AsyncGenerator<string> {
  let text = `${format.hasBom ? '\uFEFF' : ''}${format.hasHeader ? csvLine(columns.map(headingOf)) : ''}`;
  for await (const some of all) {
    for (const record of some) {
      text += csvLine(cellsOf(columns, record));
      if (text.length < CHUNK) continue;
      yield text;
      text = '';
      await nextTurn();
    }
    // What is there is sent before more is read.
    if (text !== '') yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function xlsx({ format, columns }: Table, all: Records): Readable {
  async function* lines(): AsyncGenerator<readonly unknown[]> {
    for await (const some of all) {
      await nextTurn();
      for (const record of some) yield cellsOf(columns, record);
    }
  }
  return workbook(format.hasHeader ? columns.map(headingOf) : null, lines());
}
