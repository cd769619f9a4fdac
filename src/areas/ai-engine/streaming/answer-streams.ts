import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { current, currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { toApiError } from '../../../platform/database/database-errors';
import { ApiError } from '../../../platform/errors/api-error';
import type { StreamResult } from '../../../platform/http/results';
import { EVENT_STREAM, eventFrame, EventStream, streamAnswer } from '../../../platform/http/streams/event-stream';
import { Seats } from '../../../platform/http/streams/seats';
import type { Listener } from './listener';

/** Streams of one token, of a workspace, and of this process. */
export const MAX_PER_TOKEN = 50;
const SEATS = { token: MAX_PER_TOKEN, workspace: 100, process: 500 };
/** Bytes that a client has not taken: more than any answer and its record. */
const MAX_WAITING = 1_048_576;
/** Longer than any provider may take. */
const LIFE_MS = 60_000;
const LOOK_MS = 5_000;

/** What came of it: the record that would have been the whole answer, and what of it was to be told; null where nothing was. */
export interface Told {
  record: object;
  said: string | null;
}

/** Whether a client asks to be told an answer while it is made. Under an Idempotency-Key answers come whole: a repeat gets all of them. */
export function asksToBeTold({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.accept?.includes(EVENT_STREAM) === true && headers['idempotency-key'] === undefined;
}

/**
 * Tells answers while they are made, as server-sent events: `delta` has what comes next, `reset` takes back what was told, `done` has the
 * record as it is kept, `error` says that there is none. What was told until `done` is what the record says.
 */
@Injectable()
export class AnswerStreams implements OnModuleDestroy {
  private readonly seats = new Seats(SEATS);
  private readonly logger = new Logger(AnswerStreams.name);

  onModuleDestroy(): void {
    this.seats.close();
  }

  /** What fails before a word is told fails as any request does. @throws ApiError 429, 503 */
  async tell(work: (listener: Listener) => Promise<Told>): Promise<StreamResult> {
    const giveBack = this.seats.take(currentAccess().token.id, currentWorkspaceId());
    const stream = new EventStream(MAX_WAITING, LIFE_MS);
    const telling = new Telling(stream);
    const timer = setInterval(() => stream.look(), LOOK_MS).unref();
    stream.output.once('close', () => {
      clearInterval(timer);
      giveBack();
    });
    const made = work(telling);
    try {
      await Promise.race([telling.begun, made]);
    } catch (error) {
      stream.output.destroy();
      throw error;
    }
    const { requestId } = current();
    made.then(
      (told) => telling.end(told),
      (error: unknown) => telling.fail(this.known(error), requestId),
    );
    return streamAnswer(stream);
  }

  private known(reason: unknown): ApiError {
    const error = toApiError(reason);
    if (error instanceof ApiError) return error;
    this.logger.error(error instanceof Error ? error.stack : String(error));
    return new ApiError('internal_error', 'The service has a problem with this request.');
  }
}

/** One answer that is told. */
class Telling implements Listener {
  /** Resolves with the first word. */
  readonly begun: Promise<void>;
  private begin: () => void = () => undefined;
  private told = '';

  constructor(private readonly stream: EventStream) {
    this.begun = new Promise((resolve) => (this.begin = resolve));
  }

  hear(text: string): void {
    this.told += text;
    this.stream.write(eventFrame('delta', { text }));
    this.begin();
  }

  forget(): void {
    if (this.told !== '') this.stream.write(eventFrame('reset', {}));
    this.told = '';
  }

  end({ record, said }: Told): void {
    if (this.told !== (said ?? '')) {
      this.forget();
      // Quotes, one after the other.
      for (const part of said?.split(/(?<=\n\n)/) ?? []) this.hear(part);
    }
    this.stream.end(eventFrame('done', record));
  }

  fail(error: ApiError, requestId: string): void {
    this.forget();
    this.stream.end(eventFrame('error', error.body(requestId)));
  }
}
