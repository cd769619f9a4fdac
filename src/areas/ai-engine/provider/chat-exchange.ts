import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Outbound } from '../../../platform/outbound/outbound';
import { type OutboundError, OutboundFailure, type OutboundRequest } from '../../../platform/outbound/outbound-result';
import { type OutboundProfile, SERVICE_PROFILE } from '../../../platform/outbound/profile';
import type { OpenAi } from '../settings/provider.values';
import { ANSWER_SCHEMA, completionOf, type Failure } from './provided-answer';
import type { PromptMessage } from './prompt';
import { type Begun, begunAnswer, type Completion, CompletionStream } from './streamed-answer';

/** Hears an answer while it is written. */
export interface Hearing {
  /** Called with all that there is so far. */
  hear(begun: Begun): void;
  /** What was heard does not hold: the answer broke off, or another one is asked for. */
  forget(): void;
}

/** How a question went, and what was said. */
export interface Exchange extends Completion {
  failure: Failure | null;
  /** HTTP status of the last attempt; null when no answer began. */
  status: number | null;
  attempts: number;
  durationMs: number;
}

type Attempt = Omit<Exchange, 'attempts' | 'durationMs'> & { retryAfter: string | undefined; isWorthAnother: boolean };

const MAX_ANSWER_BYTES = 1_048_576;
const ATTEMPTS = 2;
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
const NOTHING: Completion = { content: null, tokensIn: 0, tokensOut: 0 };

/** Sends questions to a model that speaks OpenAI's protocol: once more where the other side says that it might help. */
@Injectable()
export class ChatExchange {
  private readonly profile: OutboundProfile;

  constructor(
    private readonly outbound: Outbound,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'aiAllowCidrs'>,
  ) {
    const sizes = { maxBodyBytes: MAX_ANSWER_BYTES, keptBodyBytes: MAX_ANSWER_BYTES };
    this.profile = { ...SERVICE_PROFILE, ...sizes, allowed: config.aiAllowCidrs };
  }

  /**
   * All attempts together take no longer than the settings say.
   *
   * @param passages how many the model is given
   * @param hearing has the answer come as a stream
   */
  async send(
    asked: Required<OpenAi>,
    key: string | null,
    messages: readonly PromptMessage[],
    passages: number,
    hearing: Hearing | null,
  ): Promise<Exchange> {
    const began = performance.now();
    const until = began + asked.timeout_ms;
    const request = requestOf(asked, key, messages, hearing !== null);
    for (let attempts = 1; ; attempts++) {
      const given = { ...request, timeoutMs: Math.max(1, until - performance.now()) };
      const attempt = hearing ? await this.streamed(given, messages, passages, hearing) : await this.whole(given);
      const { retryAfter, isWorthAnother, ...how } = attempt;
      const pause = pauseOf(retryAfter);
      if (!isWorthAnother || attempts === ATTEMPTS || performance.now() + pause >= until)
        return { ...how, attempts, durationMs: Math.round(performance.now() - began) };
      await sleep(pause);
    }
  }

  private async whole(request: OutboundRequest): Promise<Attempt> {
    const { status, headers, body, error } = await this.outbound.send(request, this.profile);
    return attemptOf(status, headers, failureOf(status, error), completionOf(body ?? ''));
  }

  private async streamed(
    request: OutboundRequest,
    messages: readonly PromptMessage[],
    passages: number,
    hearing: Hearing,
  ): Promise<Attempt> {
    const { status, headers, body, error } = await this.outbound.stream(request, this.profile);
    const failure = failureOf(status, error);
    if (failure !== null || body === null) {
      body?.destroy();
      return attemptOf(status, headers, failure ?? 'unreachable', NOTHING);
    }
    const stream = new CompletionStream(messages.reduce((sum, { content }) => sum + content.length, 0));
    const text: Uint8Array[] = [];
    let broken: Failure | null = null;
    try {
      const chunks: AsyncIterable<Uint8Array> = body;
      for await (const bytes of chunks) {
        text.push(bytes);
        if (!stream.take(bytes)) {
          broken = 'malformed';
          break;
        }
        const begun = begunAnswer(stream.soFar, passages);
        if (begun) hearing.hear(begun);
        if (stream.isOver) break;
      }
    } catch (reason) {
      broken = reason instanceof OutboundFailure && reason.error.code === 'timeout' ? 'timeout' : 'unreachable';
    }
    body.destroy();
    const said = stream.finish();
    // A server that streams nothing answers whole.
    const completion = said.content === null && broken === null ? completionOf(Buffer.concat(text).toString()) : said;
    return attemptOf(status, headers, broken, completion);
  }
}

function requestOf(
  asked: Required<OpenAi>,
  key: string | null,
  messages: readonly PromptMessage[],
  stream: boolean,
): OutboundRequest {
  const body = {
    ...{ model: asked.model, messages, temperature: asked.temperature, max_tokens: asked.max_output_tokens },
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: ANSWER_SCHEMA } },
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  return {
    method: 'POST',
    url: `${asked.base_url.replace(/\/+$/, '')}/chat/completions`,
    headers: {
      ...{ 'Content-Type': 'application/json', Accept: stream ? 'text/event-stream' : 'application/json' },
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  };
}

function attemptOf(
  status: number | null,
  headers: Record<string, string>,
  failure: Failure | null,
  completion: Completion,
): Attempt {
  const isWorthAnother = failure !== null && status !== null && (status === 429 || status >= 500);
  return { ...completion, status, failure, retryAfter: headers['retry-after'], isWorthAnother };
}

function failureOf(status: number | null, error: OutboundError | null): Failure | null {
  if (error !== null) return error.code === 'timeout' ? 'timeout' : 'unreachable';
  if (status === 429) return 'rate_limited';
  return status !== null && status >= 200 && status < 300 ? null : 'http_error';
}

function pauseOf(retryAfter: string | undefined): number {
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, LONGEST_PAUSE_MS) : PAUSE_MS;
}
