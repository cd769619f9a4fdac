import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { outcomeOf, personAnswered } from '../conversations/conversation-outcome';

/** A window of conversations that began in it, ISO 8601; of one channel unless null. */
export interface Cohort {
  from: string;
  to: string;
  channel: string | null;
}

/** What became of the conversations of a cohort, by what is known when it is asked. */
export interface ConversationFacts {
  conversations: number;
  involved: number;
  answered: number;
  handed_over: number;
  contained: number;
  resolved: number;
  verified: number;
  ever_resolved: number;
  reopened: number;
  settled: number;
  durable: number;
  suggested: number;
  deflected: number;
  rated: number;
  rated_sum: number;
  satisfied: number;
  turns: number;
  answers: number;
  /** Messages of customers that were answered by what was found here, or by a rule. */
  found_here: number;
  minutes_per_answer: number;
  median_first_answer_seconds: number | null;
}

/** The same of tickets of the time that no conversation is about: what people did. */
export interface TicketFacts {
  tickets: number;
  /** Those of them that it would have answered in: on one of its channels. */
  eligible: number;
  rated: number;
  rated_sum: number;
  satisfied: number;
  resolved: number;
  reopened: number;
  median_first_response_seconds: number | null;
}

/** Answers that are alike in what metrics tell apart. */
export interface AnswerTally {
  bin: number;
  helpful: boolean | null;
  n: number;
  confidence: number;
}

/** Asked once, not for each conversation. */
const VERIFYING = `(SELECT make_interval(days => coalesce((s.verify ->> 'reopen_days')::integer, 7)) FROM ai_settings s WHERE s.workspace_id = $1)`;

const cohort = (): string => `
  SELECT c.*, c.answers > 0 OR c.handed_over_at IS NOT NULL AS is_involved, c.handed_over_at IS NULL AND NOT ${personAnswered('c')} AS is_alone,
    ${outcomeOf('c', VERIFYING)} AS outcome FROM ai_conversations c
  WHERE c.workspace_id = $1 AND c.started_at >= $2 AND c.started_at < $3 AND ($4::text IS NULL OR c.channel = $4)${andSeen('ai_conversations', 'c')}`;

const n = (condition: string): string => `(count(*) FILTER (WHERE ${condition}))::integer`;

/** A source was shown to a known contact, and a day has passed since. */
const suggested = `c.contact_id IS NOT NULL AND c.started_at <= now() - interval '24 hours' AND EXISTS (SELECT FROM ai_messages m
  WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id AND m.role = 'ai' AND m.sources <> '[]')`;
const ticketFollowed = `c.handed_over_at IS NOT NULL OR EXISTS (SELECT FROM tickets k WHERE k.workspace_id = c.workspace_id AND k.contact_id = c.contact_id
  AND k.id IS DISTINCT FROM c.ticket_id AND k.created_at > c.started_at AND k.created_at <= c.started_at + interval '24 hours')`;

const facts = (): string => `
  SELECT count(*)::integer AS conversations, ${n('c.is_involved')} AS involved, ${n('c.answers > 0')} AS answered,
    ${n('c.handed_over_at IS NOT NULL')} AS handed_over,
    ${n(`c.is_involved AND c.is_alone AND c.status IN ('resolved', 'abandoned')`)} AS contained,
    ${n(`c.outcome IN ('contained_resolution', 'verified_resolution')`)} AS resolved,
    ${n(`c.outcome = 'verified_resolution'`)} AS verified, ${n('c.resolved_at IS NOT NULL')} AS ever_resolved,
    ${n('c.resolved_at IS NOT NULL AND c.reopened_at IS NOT NULL')} AS reopened,
    ${n(`c.resolved_at <= now() - ${VERIFYING}`)} AS settled,
    ${n(`c.resolved_at <= now() - ${VERIFYING} AND (c.reopened_at IS NULL OR c.reopened_at < c.resolved_at)`)} AS durable,
    ${n(suggested)} AS suggested, ${n(`${suggested} AND NOT (${ticketFollowed})`)} AS deflected,
    ${n('c.is_alone AND c.csat_score IS NOT NULL')} AS rated, ${n('c.is_alone AND c.csat_score >= 4')} AS satisfied,
    coalesce(sum(c.csat_score) FILTER (WHERE c.is_alone), 0)::integer AS rated_sum,
    coalesce(sum(c.turns), 0)::integer AS turns, coalesce(sum(c.answers), 0)::integer AS answers,
    coalesce(sum(c.turns) - sum((SELECT count(*) FROM ai_messages m WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id
      AND m.model IS NOT NULL)), 0)::integer AS found_here,
    (SELECT s.minutes_per_answer FROM ai_settings s WHERE s.workspace_id = $1) AS minutes_per_answer,
    (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM (SELECT min(m.created_at) FROM ai_messages m
      WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id AND m.action = 'answer') - c.started_at)))::float AS median_first_answer_seconds
  FROM (${cohort()}) c`;

const reasons = (): string =>
  `SELECT c.handover_reason AS reason, count(*)::integer AS n FROM (${cohort()}) c WHERE c.handed_over_at IS NOT NULL GROUP BY 1`;

const answers = (): string => `
  SELECT least(9, floor(m.confidence * 10))::integer AS bin, m.helpful, count(*)::integer AS n, sum(m.confidence)::float AS confidence
  FROM (${cohort()}) c JOIN ai_messages m ON m.workspace_id = c.workspace_id AND m.conversation_id = c.id AND m.action = 'answer' GROUP BY 1, 2`;

const tickets = (): string => `
  SELECT count(*)::integer AS tickets, ${n(`t.merged_into_id IS NULL AND t.channel = ANY ((SELECT s.channels FROM ai_settings s WHERE s.workspace_id = $1)::text[])`)} AS eligible,
    ${n('t.csat_score IS NOT NULL')} AS rated, coalesce(sum(t.csat_score), 0)::integer AS rated_sum,
    ${n('t.csat_score >= 4')} AS satisfied, ${n('t.first_resolved_at IS NOT NULL')} AS resolved, ${n('t.reopened_count > 0')} AS reopened,
    (percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM t.first_response_at - t.created_at)))::float AS median_first_response_seconds
  FROM tickets t WHERE t.workspace_id = $1 AND t.created_at >= $2 AND t.created_at < $3 AND ($4::text IS NULL OR t.channel = $4)
    AND NOT EXISTS (SELECT FROM ai_conversations c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id)${andSeen('tickets', 't')}`;

/** Questions to models elsewhere in the window, suggested replies among them. */
const CALLS = `
  SELECT k.provider, count(*)::integer AS requests, sum(k.tokens_in)::float AS tokens_in, sum(k.tokens_out)::float AS tokens_out,
    (count(k.failure))::integer AS failed, ${n('k.fell_back')} AS fallback_count, sum(k.cost)::float AS cost
  FROM ai_calls k WHERE k.workspace_id = $1 AND k.created_at >= $2 AND k.created_at < $3 GROUP BY 1 ORDER BY 1`;

/** What was asked of whom. */
export interface Usage {
  provider: string;
  requests: number;
  tokens_in: number;
  tokens_out: number;
  /** Of which nothing came that could be said. */
  failed: number;
  /** Of which quotes that were found here took the place. */
  fallback_count: number;
  /** By the prices of then; null without any. */
  cost: number | null;
}

/** What rates are made of. */
export interface CohortCounts {
  conversations: ConversationFacts;
  tickets: TicketFacts;
}

/** Everything that metrics of a cohort are made of. */
export interface CohortFacts extends CohortCounts {
  reasons: { reason: string; n: number }[];
  answers: AnswerTally[];
  calls: Usage[];
}

export async function factsOf(database: Database, of: Cohort): Promise<CohortFacts> {
  const counts = await countsOf(database, of);
  const calls = await database.read(sql<Usage>(CALLS, [currentWorkspaceId(), of.from, of.to]));
  return { ...counts, calls, reasons: await ask(database, reasons(), of), answers: await ask(database, answers(), of) };
}

export async function countsOf(database: Database, of: Cohort): Promise<CohortCounts> {
  const [conversations] = await ask<ConversationFacts>(database, facts(), of);
  const [others] = await ask<TicketFacts>(database, tickets(), of);
  if (!conversations || !others) throw new Error('Counts are one row.');
  return { conversations, tickets: others };
}

function ask<T extends object>(database: Database, text: string, { from, to, channel }: Cohort): Promise<T[]> {
  return database.read(filled(sql<T>(text, [currentWorkspaceId(), from, to, channel])));
}
