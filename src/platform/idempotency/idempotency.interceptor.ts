import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { current } from '../context/current';
import { Database } from '../database/database';
import { ApiError, invalid } from '../errors/api-error';
import '../http/fastify-request';
import { JSON_TYPE, singleEnding, singleText } from '../http/envelope.interceptor';
import { eventUid } from '../events/event-rows';
import { compactId } from '../text/fresh-id';
import { claimsLate, type Foreknown } from './claims-late';
import { fingerprintOf, readIdempotencyKey } from './idempotency-key';
import { IdempotencyStore, KeyIsBusy, type Retold, type StoredAnswer } from './idempotency.store';
import { SingleFlight } from './single-flight';

/** Longest wait for a concurrent request with the same key. */
const WAIT_MS = 10_000;
/** The sessions' lock_timeout: one attempt to claim a key that another node holds. */
const ATTEMPT_MS = 3_000;
const CREATED = 201;
const STORED_HEADERS = ['content-type', 'etag', 'location'];

interface Outcome {
  answer: StoredAnswer;
  /** Whether the answer was stored earlier rather than made now. */
  replayed: boolean;
}

/**
 * `Idempotency-Key` on every POST: the key is claimed, the handler runs and the answer is stored in one transaction, so
 * that either all three are visible or none is. Repeats get the stored status and body byte for byte.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly flights = new SingleFlight<Outcome>();

  constructor(
    private readonly database: Database,
    private readonly store: IdempotencyStore,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<string>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.method !== 'POST' || request.helpdesk.workspaceId === null) return next.handle();
    const key = readIdempotencyKey(request.raw.rawHeaders);
    if (key === null) return next.handle();
    return from(this.answer(key, request, http.getResponse<FastifyReply>(), next, claimsLate(context)));
  }

  private async answer(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    next: CallHandler<string>,
    late: Foreknown | null,
  ): Promise<string> {
    const flight = `${request.helpdesk.workspaceId} ${key}`;
    const fingerprint = new Fingerprint(request);
    const work = (): Promise<Outcome> => this.claimAndRun(key, fingerprint, { request, reply, next }, late);
    const result = await this.flights.run(flight, WAIT_MS, work);
    if (result === null) throw busy();
    const { answer, replayed } = result.outcome;
    if (result.own && !replayed) return answer.body;
    if (!answer.fingerprint.equals(await fingerprint.whole())) refuseReuse();
    void reply.status(answer.status).headers({ ...answer.headers, 'idempotent-replayed': 'true' });
    return answer.body;
  }

  /** @param late the claim travels with the first statement of the handler; where it is refused, it is made ahead of all. */
  private async claimAndRun(
    key: string,
    fingerprint: Fingerprint,
    handled: Handled,
    late: Foreknown | null,
  ): Promise<Outcome> {
    const deadline = Date.now() + WAIT_MS - ATTEMPT_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.database.transaction(() =>
          late && attempt === 1
            ? this.claimLate(key, fingerprint, handled, late)
            : this.claimFirst(key, fingerprint, handled, late),
        );
      } catch (error) {
        if (!(error instanceof KeyIsBusy)) throw error;
        if (Date.now() > deadline) throw busy();
      }
    }
  }

  private async claimFirst(
    key: string,
    fingerprint: Fingerprint,
    handled: Handled,
    late: Foreknown | null,
  ): Promise<Outcome> {
    const stored = await this.store.claim(key, fingerprint.soFar, late && retold(late));
    return stored ? { answer: stored, replayed: true } : this.run(key, fingerprint, handled);
  }

  private claimLate(key: string, fingerprint: Fingerprint, handled: Handled, { object }: Foreknown): Promise<Outcome> {
    const eventId = compactId();
    const { transaction } = current();
    if (transaction) transaction.foretold = { object, eventId, taken: false, json: '' };
    const answer = { eventUid: eventUid(eventId), status: CREATED, ending: singleEnding(handled.request) };
    return this.store.claimWith(key, fingerprint.soFar, answer, () => this.run(key, fingerprint, handled));
  }

  /** Runs the handler and stores what it answers under the key, which is claimed. */
  private async run(key: string, fingerprint: Fingerprint, { request, reply, next }: Handled): Promise<Outcome> {
    const body = await lastValueFrom(next.handle());
    const whole = await fingerprint.whole();
    const answer = { fingerprint: whole, status: reply.statusCode, headers: headersToStore(reply), body };
    const foretold = current().transaction?.foretold;
    if (!foretold?.taken) this.store.save(key, answer);
    else if (reply.statusCode !== CREATED || body !== singleText(foretold.json, singleEnding(request)))
      throw new Error('A route that claims its key late answers something else than what it created.');
    return { answer, replayed: false };
  }
}

/** A request, and what is done with it. */
interface Handled {
  request: FastifyRequest;
  reply: FastifyReply;
  next: CallHandler<string>;
}

/** How answers of a route are told again that are kept by their events. */
const retold =
  ({ etag }: Foreknown): Retold =>
  (json, ending) => ({ headers: { 'content-type': JSON_TYPE, etag: etag(json) }, body: singleText(json, ending) });

/** What a key is compared by. The content of an upload is known when it has been read to its end. */
class Fingerprint {
  /** Of an upload without its content. */
  readonly soFar: Buffer;

  constructor(private readonly request: FastifyRequest) {
    this.soFar = this.with(request.rawBody);
  }

  async whole(): Promise<Buffer> {
    const { upload } = this.request;
    return upload ? this.with(await upload.digest()) : this.soFar;
  }

  private with(body: Buffer | null): Buffer {
    const { method, raw, headers, upload, helpdesk } = this.request;
    // The boundary of a form says nothing of what is sent.
    const contentType = upload?.type ?? headers['content-type'] ?? '';
    const userId = helpdesk.principal?.userId ?? null;
    return fingerprintOf({ method, url: raw.url ?? '', contentType, body, userId });
  }
}

function headersToStore(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  return headers;
}

function refuseReuse(): never {
  invalid(
    'Idempotency-Key',
    'idempotency_key_reuse',
    'This Idempotency-Key was used for another request within the last 24 hours; use a new one.',
  );
}

function busy(): ApiError {
  return new ApiError('conflict', 'Another request with this Idempotency-Key is still being processed.', {
    headers: { 'Retry-After': '1' },
  });
}
