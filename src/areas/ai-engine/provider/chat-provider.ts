// Own reads: the settings with their sealed key, which no store shows, and tokens of a day.
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { SecretBox } from '../../../platform/secrets/secret-box';
import { DEFAULT_OPENAI, DEFAULT_REDACTION, type OpenAi } from '../settings/provider.values';
import { settingsWith } from '../settings/ai-settings.values';
import { ChatExchange, type Exchange, type Hearing } from './chat-exchange';
import { ABOUT_SOURCES, checkedAnswer, type Failure, type ProvidedAnswer } from './provided-answer';
import { costOf, type Spent } from './spent';
import { promptOf } from './prompt';
import { redacted, type Redaction } from './redaction';

/** A provider as it is set up. */
interface SetUp {
  provider: string;
  fallback_to_local: boolean;
  openai_compatible: OpenAi;
  api_key_sealed: string | null;
  redact: Partial<Redaction>;
  max_tokens_month: number | null;
  tone: string | null;
}

/** What came of a question. */
export type Provided = { model: string; mayFallBack: boolean; spent: Spent } & (
  { ok: true; answer: ProvidedAnswer } | { ok: false; failure: Failure }
);

const UNSENT: Exchange = {
  ...{ failure: null, status: null, attempts: 0, durationMs: 0 },
  ...{ content: null, tokensIn: 0, tokensOut: 0 },
};

const SET_UP = `SELECT provider, fallback_to_local, openai_compatible, api_key_sealed, redact, max_tokens_month, tone FROM ai_settings WHERE workspace_id = $1`;
const USED = `SELECT coalesce(sum(tokens_in + tokens_out) FILTER (WHERE created_at >= date_trunc('day', now(), 'UTC')), 0)::float AS today,
  coalesce(sum(tokens_in + tokens_out), 0)::float AS month FROM ai_calls WHERE workspace_id = $1 AND created_at >= date_trunc('month', now(), 'UTC')`;
const LOG = `INSERT INTO ai_calls (workspace_id, provider, model, failure, http_status, attempts, latency_ms, tokens_in, tokens_out, prompt_hash, redactions, cost, fell_back)
  VALUES ($1, 'openai_compatible', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** Asks a model that speaks OpenAI's protocol, where the workspace has one; what it says counts only if it cites what it was given. */
@Injectable()
export class ChatProvider {
  constructor(
    private readonly database: Database,
    private readonly exchange: ChatExchange,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Null where answers are found here. Every question is in the log, how it went.
   *
   * @param hearing hears the answer while it is written, once it is known that it cites what it was given
   */
  async ask(question: string, passages: readonly string[], hearing: Hearing | null = null): Promise<Provided | null> {
    const [setUp] = await this.database.read(sql<SetUp>(SET_UP, [currentWorkspaceId()]));
    if (setUp?.provider !== 'openai_compatible') return null;
    const asked = settingsWith(DEFAULT_OPENAI, setUp.openai_compatible);
    const rules = settingsWith(DEFAULT_REDACTION, setUp.redact);
    const [about, ...given] = [question, ...passages].map((text) => redacted(text, rules));
    const messages = promptOf(
      about?.text ?? '',
      given.map(({ text }) => text),
      setUp.tone,
    );
    const mayFallBack = setUp.fallback_to_local;
    const known = { model: asked.model, mayFallBack };
    const redactions = (about?.count ?? 0) + given.reduce((sum, { count }) => sum + count, 0);
    const hash = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
    const asking = { model: asked.model, hash, redactions };
    if (await this.isUsedUp(asked.daily_token_budget, setUp.max_tokens_month)) {
      const spent = await this.log(asking, { ...UNSENT, failure: 'over_budget' }, asked, mayFallBack);
      return { ...known, spent, ok: false, failure: 'over_budget' };
    }
    const key = setUp.api_key_sealed === null ? null : this.secrets.open(setUp.api_key_sealed);
    const exchange = await this.exchange.send(asked, key, messages, passages.length, hearing);
    const outcome = exchange.failure ?? checkedAnswer(exchange.content, passages.length);
    const failure = typeof outcome === 'string' ? outcome : null;
    if (failure !== null) hearing?.forget();
    const fellBack = failure !== null && mayFallBack && !ABOUT_SOURCES.includes(failure);
    const spent = await this.log(asking, { ...exchange, failure }, asked, fellBack);
    return typeof outcome === 'string'
      ? { ...known, spent, ok: false, failure: outcome }
      : { ...known, spent, ok: true, answer: outcome };
  }

  /** Whether the tokens of the day, or of the month, are used up; null = no limit. */
  private async isUsedUp(ofDay: number | null, ofMonth: number | null): Promise<boolean> {
    if (ofDay === null && ofMonth === null) return false;
    const statement = sql<{ today: number; month: number }>(USED, [currentWorkspaceId()]);
    const { today = 0, month = 0 } = (await this.database.read(statement))[0] ?? {};
    return (ofDay !== null && today >= ofDay) || (ofMonth !== null && month >= ofMonth);
  }

  private async log(
    { model, hash, redactions }: { model: string; hash: string; redactions: number },
    { failure, status, attempts, durationMs, tokensIn, tokensOut }: Exchange,
    prices: OpenAi,
    fellBack: boolean,
  ): Promise<Spent> {
    const spent = { tokensIn, tokensOut, cost: costOf(tokensIn, tokensOut, prices) };
    const figures = [
      failure,
      status,
      attempts,
      durationMs,
      tokensIn,
      tokensOut,
      hash,
      redactions,
      spent.cost,
      fellBack,
    ];
    const values = [currentWorkspaceId(), model, ...figures];
    await this.database.transaction(() => this.database.run([{ text: LOG, values }]));
    return spent;
  }
}
