import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { map, type Observable } from 'rxjs';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { matchesNone, weakTag } from './if-none-match';
import { KeptText } from './kept-text';
import { ownJson } from '../text/json';
import './fastify-request';
import { linkBase } from './link-base';
import { linkHeader } from './link-header';
import {
  FileResult,
  ListResult,
  type Meta,
  SingleResult,
  StreamResult,
  TabularResult,
  UnwrappedResult,
} from './results';
import { EventStreamResult } from './streams/event-stream';
import { OpenStreams } from './streams/open-streams';
import { TableAnswers } from './table/table-answers';
import { varyBy } from './vary';

/** Of all answers in the envelope. */
export const JSON_TYPE = 'application/json; charset=utf-8';

const OPENING = '{"data":';
const OPENING_BYTES = Buffer.from(OPENING);

/**
 * Wraps what a controller returns into `{data, meta, links}` as one string: record texts are spliced in as PostgreSQL
 * wrote them, never parsed or serialised again. Answers 304 when the client already holds the record.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  private readonly fallbackHost: string;
  private readonly tables = new TableAnswers();

  constructor(
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
    private readonly streams: OpenStreams,
  ) {
    this.fallbackHost = `${config.host}:${config.port}`;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => this.envelope(result, request, reply)));
  }

  private envelope(
    result: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): string | Buffer | Readable | undefined {
    if (result instanceof EventStreamResult && isRead(request.method))
      this.streams.add({ request, stream: result.stream });
    if (result instanceof StreamResult) return streamed(result, request, reply);
    if (result instanceof FileResult) return file(result, request, reply);
    if (result instanceof ListResult) {
      varyBy('accept', reply);
      if (result.table) return this.tables.answer(ownJson(result.json), result.table, request, reply);
    }
    if (result instanceof TabularResult) {
      varyBy('accept', reply);
      if (result.table) return this.tables.answer(result.rows, result.table, request, reply);
      return this.envelope(result.value, request, reply);
    }
    void reply.header('content-type', JSON_TYPE);
    if (result instanceof ListResult) return this.list(result, request, reply);
    if (result instanceof SingleResult) return single(result, request, reply);
    if (result instanceof UnwrappedResult) return JSON.stringify(result.value);
    return unlessKnown(`{"data":${JSON.stringify(result ?? null)}}`, request, reply);
  }

  private list(result: ListResult, request: FastifyRequest, reply: FastifyReply): string | Buffer | undefined {
    const { text, total, limit, offset, links, meta } = result;
    const base = linkBase(this.config.publicUrl, request, this.fallbackHost);
    const absolute = {
      first: base + links.first,
      next: links.next === null ? null : base + links.next,
      prev: links.prev === null ? null : base + links.prev,
      last: base + links.last,
    };
    const figures = `"total":${total},"limit":${limit},"offset":${offset},"has_more":${links.next !== null}`;
    const link = linkHeader(absolute);
    if (link !== '') void reply.header('link', link);
    const ending = `,"meta":{${figures}${members(meta)}},"links":${JSON.stringify(absolute)}}`;
    // As text, for an answer may be kept with its key.
    if (!isRead(request.method)) return `${OPENING}${String(text)}${ending}`;
    const { bytes, digest } = typeof text === 'string' ? new KeptText(text) : text;
    if (isKnown(weakTag(digest + ending), request, reply)) return undefined;
    return Buffer.concat([OPENING_BYTES, bytes, Buffer.from(ending)]);
  }
}

function single(result: SingleResult, request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { json, etag, status, meta, headers } = result;
  if (headers) void reply.headers({ ...headers });
  if (status !== undefined) void reply.status(status);
  // What has no version of its own and is read is told by what it says, as any other object.
  const tag = etag ?? (isRead(request.method) ? weakTag(json) : null);
  if (tag !== null && isKnown(tag, request, reply)) return undefined;
  return singleText(json, singleEnding(request, meta));
}

/** The text of an answer that shows one record. @param ending what follows the record, by `singleEnding` */
export const singleText = (json: string, ending: string): string => `{"data":${json}${ending}`;

/** What follows the record in such an answer. */
export function singleEnding({ helpdesk }: FastifyRequest, meta?: Meta): string {
  const { rateRemaining } = helpdesk;
  const figures = members({ ...(rateRemaining === null ? {} : { rate_limit_remaining: rateRemaining }), ...meta });
  return figures === '' ? '}' : `,"meta":{${figures.slice(1)}}}`;
}

function file(result: FileResult, request: FastifyRequest, reply: FastifyReply): string | Buffer | undefined {
  const { type, content, filename, options } = result;
  void reply.header('content-type', type);
  if (filename !== null) {
    void reply.header('content-disposition', `${options.inline ? 'inline' : 'attachment'}; filename="${filename}"`);
  }
  if (options.status !== undefined) void reply.status(options.status);
  if (options.headers) void reply.headers({ ...options.headers });
  return options.etag !== undefined && isKnown(options.etag, request, reply) ? undefined : content;
}

/** A stream for `HEAD`, too: of a text its length would be told. */
function streamed({ status, headers, body }: StreamResult, request: FastifyRequest, reply: FastifyReply): Readable {
  // Its length and its ranges are those of the bytes as they are stored.
  request.headers['x-no-compression'] = 'true';
  void reply.status(status).headers({ ...headers });
  return body ?? Readable.from([]);
}

/** Writes the ETag; true when the client holds that state already, which is then answered 304. */
function isKnown(etag: string, request: FastifyRequest, reply: FastifyReply): boolean {
  void reply.header('etag', etag);
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch === undefined || !isRead(request.method) || !matchesNone(ifNoneMatch, etag)) return false;
  void reply.status(304).removeHeader('content-type').removeHeader('content-disposition');
  return true;
}

/**
 * A text without a version of its own, or nothing when the client holds it already. Its tag is weak: it identifies the
 * content, for `If-None-Match`, and is nothing that a change could be based on.
 */
function unlessKnown(text: string, request: FastifyRequest, reply: FastifyReply): string | undefined {
  if (!isRead(request.method)) return text;
  return isKnown(weakTag(text), request, reply) ? undefined : text;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** `,"a":1,"b":2` */
function members(meta: Meta | undefined): string {
  if (!meta) return '';
  const text = JSON.stringify(meta);
  return text === '{}' ? '' : `,${text.slice(1, -1)}`;
}
