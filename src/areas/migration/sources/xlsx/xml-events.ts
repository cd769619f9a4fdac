import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { breather } from '../../../../platform/workers/breather';

/** What is heard of a document, in its order; names without prefixes. */
export interface XmlEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** A workbook, or a part of it, cannot be read; the message is for the API's client. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/**
 * Reads a document as it comes. Entities that a document declares are none to this parser, so nothing expands; between chunks others
 * have their turn, and whoever takes what was heard.
 *
 * @throws Unreadable
 */
export async function* heard(source: Readable, events: XmlEvents): AsyncGenerator<void> {
  const parser = new SaxesParser();
  let fault: Error | null = null;
  parser.on('error', (error) => (fault ??= error));
  parser.on('doctype', () => (fault ??= new Error('It has a document type.')));
  parser.on('opentag', ({ name, attributes }) => events.open?.(localName(name), attributes));
  parser.on('text', (text) => events.text?.(text));
  parser.on('closetag', ({ name }) => events.close?.(localName(name)));
  const decoder = new TextDecoder();
  const breathe = breather();
  const chunks: AsyncIterable<Buffer> = source;
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    refuse(fault);
    yield;
    await breathe();
  }
  parser.write(decoder.decode()).close();
  refuse(fault);
  yield;
}

/** The same of a small document. */
export async function hear(source: Readable, events: XmlEvents): Promise<void> {
  for await (const _ of heard(source, events));
}

function refuse(fault: Error | null): void {
  if (fault) throw new Unreadable(fault.message.slice(0, 200));
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}
