import { create as contentDisposition } from 'content-disposition';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { matchesNone } from '../if-none-match';
import { StreamResult } from '../results';
import { askedPart, mayBePart, type Part } from './byte-range';

/** A file as it is answered. */
export interface Download {
  /** Media type that it is sent as. */
  type: string;
  /** Bytes. */
  size: number;
  /** Name that it is saved under. */
  filename: string;
  /** Browsers may show it in place of saving it. */
  inline: boolean;
  /** Strong tag of its content, with its quotes. */
  etag: string;
  /** Opened when it is known that bytes are needed. */
  open(part?: Part): Promise<Readable>;
}

/** The header that says what a file is called, whatever that is (RFC 6266, RFC 8187). */
export function dispositionOf({ filename, inline }: Pick<Download, 'filename' | 'inline'>): string {
  return contentDisposition(filename, { type: inline ? 'inline' : 'attachment' });
}

/** The answer to `GET` and `HEAD` of a file: whole (200), a part (206), known already (304) or no such part (416). */
export async function downloadAnswer(file: Download, request: FastifyRequest): Promise<StreamResult> {
  const { headers, method } = request;
  const { etag, size } = file;
  const known = { etag, 'accept-ranges': 'bytes' };
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && matchesNone(ifNoneMatch, etag)) return new StreamResult(304, known, null);
  const ifRange = headers['if-range'];
  const asked = mayBePart(typeof ifRange === 'string' ? ifRange : undefined, etag)
    ? askedPart(headers.range, size)
    : 'whole';
  if (asked === 'none')
    return new StreamResult(416, { ...known, 'content-range': `bytes */${size}`, 'content-length': '0' }, null);
  const part = asked === 'whole' ? null : asked;
  const told = {
    ...known,
    'content-type': file.type,
    'content-disposition': dispositionOf(file),
    'content-length': String(part ? part.end - part.start + 1 : size),
    ...(part ? { 'content-range': `bytes ${part.start}-${part.end}/${size}` } : {}),
  };
  const body = method === 'HEAD' || size === 0 ? null : await file.open(part ?? undefined);
  return new StreamResult(part ? 206 : 200, told, body);
}
