// Own reads: the settings with their sealed key, which no store shows, and tokens of a day.
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentWorkspaceId } from '../../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Database } from '../../../platform/database/database';
import { Outbound } from '../../../platform/outbound/outbound';
import type { OutboundResult } from '../../../platform/outbound/outbound-result';
import { SERVICE_PROFILE } from '../../../platform/outbound/profile';
import { sql } from '../../../platform/postgres/statement-batch';
import { SecretBox } from '../../../platform/secrets/secret-box';
import { DEFAULT_OPENAI, DEFAULT_REDACTION, type OpenAi } from '../settings/provider.values';
import { settingsWith } from '../settings/ai-settings.values';
import { ANSWER_SCHEMA, checkedAnswer, completionOf, type Failure, type ProvidedAnswer } from './provided-answer';
import { promptOf } from './prompt';
import { redacted, type Redaction } from './redaction';

/** A provider as it is set up. */
interface SetUp {
  provider: string;
  fallback_to_local: boolean;
  openai_compatible: OpenAi;
  api_key_sealed: string | null;
  redact: Partial<Redaction>;
}

/** What came of a question. */
export type Provided = { model: string; mayFallBack: boolean } & (
  { ok: true; answer: ProvidedAnswer } | { ok: false; failure: Failure }
);

interface Exchange {
  result: OutboundResult;
  attempts: number;
}

const MAX_ANSWER_BYTES = 1_048_576;
const ATTEMPTS = 2;
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

const SET_UP = `SELECT provider, fallback_to_local, openai_compatible, api_key_sealed, redact FROM ai_settings WHERE workspace_id = $1`;
const USED = `SELECT coalesce(sum(tokens_in + tokens_out), 0)::integer AS used FROM ai_calls WHERE workspace_id = $1 AND created_at >= date_trunc('day', now())`;
const LOG = `INSERT INTO ai_calls (workspace_id, provider, model, failure, http_status, attempts, latency_ms, tokens_in, tokens_out, prompt_hash, redactions)
  VALUES ($1, 'openai_compatible', $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Asks a model that speaks OpenAI's protocol, where the workspace has one; what it says counts only if it cites what it was given. */
@Injectable()
export class ChatProvider {
  constructor(
    private readonly database: Database,
    private readonly outbound: Outbound,
    private readonly secrets: SecretBox,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'aiAllowCidrs'>,
  ) {}

  /** Null where answers are found here. Every question is in the log, how it went. */
  async ask(question: string, passages: readonly string[]): Promise<Provided | null> {
    const [setUp] = await this.database.read(sql<SetUp>(SET_UP, [currentWorkspaceId()]));
    if (setUp?.provider !== 'openai_compatible') return null;
    const asked = settingsWith(DEFAULT_OPENAI, setUp.openai_compatible);
    const rules = settingsWith(DEFAULT_REDACTION, setUp.redact);
    const [about, ...given] = [question, ...passages].map((text) => redacted(text, rules));
    const messages = promptOf(
      about?.text ?? '',
      given.map(({ text }) => text),
    );
    const known = { model: asked.model, mayFallBack: setUp.fallback_to_local };
    const redactions = (about?.count ?? 0) + given.reduce((sum, { count }) => sum + count, 0);
    const hash = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
    if (asked.daily_token_budget !== null && (await this.used()) >= asked.daily_token_budget) {
      await this.log(known.model, 'over_budget', null, { tokensIn: 0, tokensOut: 0 }, hash, redactions);
      return { ...known, ok: false, failure: 'over_budget' };
    }
    const exchange = await this.exchange(asked, setUp.api_key_sealed, messages);
    const completion = completionOf(exchange.result.body ?? '');
    const outcome = failureOf(exchange.result) ?? checkedAnswer(completion.content, passages.length);
    const failure = typeof outcome === 'string' ? outcome : null;
    await this.log(known.model, failure, exchange, completion, hash, redactions);
    return typeof outcome === 'string'
      ? { ...known, ok: false, failure: outcome }
      : { ...known, ok: true, answer: outcome };
  }

  /** Once more where the other side says that it might help, as long as there is time for all of it. */
  private async exchange(asked: Required<OpenAi>, key: string | null, messages: readonly object[]): Promise<Exchange> {
    const until = performance.now() + asked.timeout_ms;
    const body = {
      ...{ model: asked.model, messages, temperature: asked.temperature, max_tokens: asked.max_output_tokens },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: ANSWER_SCHEMA } },
    };
    const request = {
      method: 'POST',
      url: `${asked.base_url.replace(/\/+$/, '')}/chat/completions`,
      headers: {
        ...{ 'Content-Type': 'application/json', Accept: 'application/json' },
        ...(key === null ? {} : { Authorization: `Bearer ${this.secrets.open(key)}` }),
      },
      body: JSON.stringify(body),
    } as const;
    const sizes = { maxBodyBytes: MAX_ANSWER_BYTES, keptBodyBytes: MAX_ANSWER_BYTES };
    const profile = { ...SERVICE_PROFILE, ...sizes, allowed: this.config.aiAllowCidrs };
    for (let attempts = 1; ; attempts++) {
      const timeoutMs = Math.max(1, until - performance.now());
      const result = await this.outbound.send({ ...request, timeoutMs }, profile);
      const pause = pauseOf(result);
      if (!isWorthAnother(result) || attempts === ATTEMPTS || performance.now() + pause >= until)
        return { result, attempts };
      await sleep(pause);
    }
  }

  private async used(): Promise<number> {
    const [row] = await this.database.read(sql<{ used: number }>(USED, [currentWorkspaceId()]));
    return row?.used ?? 0;
  }

  private async log(
    model: string,
    failure: Failure | null,
    exchange: Exchange | null,
    { tokensIn, tokensOut }: { tokensIn: number; tokensOut: number },
    hash: string,
    redactions: number,
  ): Promise<void> {
    const { result, attempts } = exchange ?? { result: null, attempts: 0 };
    const how = [result?.status ?? null, attempts, result?.durationMs ?? 0, tokensIn, tokensOut];
    const values = [currentWorkspaceId(), model, failure, ...how, hash, redactions];
    await this.database.transaction(() => this.database.run([{ text: LOG, values }]));
  }
}

function failureOf({ status, error }: OutboundResult): Failure | null {
  if (error !== null) return error.code === 'timeout' ? 'timeout' : 'unreachable';
  if (status === 429) return 'rate_limited';
  return status !== null && status >= 200 && status < 300 ? null : 'http_error';
}

function isWorthAnother({ status, error }: OutboundResult): boolean {
  return error === null && status !== null && (status === 429 || status >= 500);
}

function pauseOf({ headers }: OutboundResult): number {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, LONGEST_PAUSE_MS) : PAUSE_MS;
}
