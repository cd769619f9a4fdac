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
import { checkedAnswer, type Failure, type ProvidedAnswer } from './provided-answer';
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

const UNSENT: Exchange = {
  ...{ failure: null, status: null, attempts: 0, durationMs: 0 },
  ...{ content: null, tokensIn: 0, tokensOut: 0 },
};

const SET_UP = `SELECT provider, fallback_to_local, openai_compatible, api_key_sealed, redact FROM ai_settings WHERE workspace_id = $1`;
const USED = `SELECT coalesce(sum(tokens_in + tokens_out), 0)::integer AS used FROM ai_calls WHERE workspace_id = $1 AND created_at >= date_trunc('day', now())`;
const LOG = `INSERT INTO ai_calls (workspace_id, provider, model, failure, http_status, attempts, latency_ms, tokens_in, tokens_out, prompt_hash, redactions)
  VALUES ($1, 'openai_compatible', $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

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
    );
    const known = { model: asked.model, mayFallBack: setUp.fallback_to_local };
    const redactions = (about?.count ?? 0) + given.reduce((sum, { count }) => sum + count, 0);
    const hash = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
    if (asked.daily_token_budget !== null && (await this.used()) >= asked.daily_token_budget) {
      await this.log(known.model, { ...UNSENT, failure: 'over_budget' }, hash, redactions);
      return { ...known, ok: false, failure: 'over_budget' };
    }
    const key = setUp.api_key_sealed === null ? null : this.secrets.open(setUp.api_key_sealed);
    const exchange = await this.exchange.send(asked, key, messages, passages.length, hearing);
    const outcome = exchange.failure ?? checkedAnswer(exchange.content, passages.length);
    const failure = typeof outcome === 'string' ? outcome : null;
    if (failure !== null) hearing?.forget();
    await this.log(known.model, { ...exchange, failure }, hash, redactions);
    return typeof outcome === 'string'
      ? { ...known, ok: false, failure: outcome }
      : { ...known, ok: true, answer: outcome };
  }

  private async used(): Promise<number> {
    const [row] = await this.database.read(sql<{ used: number }>(USED, [currentWorkspaceId()]));
    return row?.used ?? 0;
  }

  private async log(model: string, how: Exchange, hash: string, redactions: number): Promise<void> {
    const { failure, status, attempts, durationMs, tokensIn, tokensOut } = how;
    const figures = [failure, status, attempts, durationMs, tokensIn, tokensOut];
    const values = [currentWorkspaceId(), model, ...figures, hash, redactions];
    await this.database.transaction(() => this.database.run([{ text: LOG, values }]));
  }
}
