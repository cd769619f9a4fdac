import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { Parameters } from '../../../platform/database/parameters';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { textOf } from '../tasks';
import { abstained } from './abstained';
import type { NewPrediction } from './prediction.entity';
import { similarity, vectorOf } from './similarity';

/** What is known of a ticket; of a text alone only that. */
export interface PredictedTicket {
  id: number | null;
  text: string;
  priority: string | null;
  category_id: number | null;
  requester_email: string | null;
}

/** From so similar on, two tickets are taken for the same. */
const SAME = 0.85;
/** Tickets that are compared: those of the same requester, and the newest of all. */
const COMPARED = 100;
const COMPARED_CHARACTERS = 2_000;
const WITHIN = '14 days';
/** Resolved tickets that tell how long one takes: at least, and at most. */
const LEAST_RESOLVED = 10;
const MOST_RESOLVED = 2_000;

interface Compared {
  id: number;
  code: string;
  subject: string;
  description: string;
}

/** Predicts by comparing with other tickets. */
@Injectable()
export class TicketPredictors {
  constructor(private readonly database: Database) {}

  /** An open ticket of the last days that says nearly the same; never merged by itself. */
  async duplicate(ticket: PredictedTicket): Promise<NewPrediction> {
    const method = 'cosine';
    const own = vectorOf(ticket.text.slice(0, COMPARED_CHARACTERS));
    const found = (await this.compared(ticket))
      .map((other) => ({
        value: String(other.id),
        // Who sees the ticket that it is about need not see the other.
        label: other.code,
        confidence: Math.round(similarity(own, vectorOf(textOf(other))) * 10_000) / 10_000,
      }))
      .filter(({ confidence }) => confidence >= SAME)
      .sort((one, other) => other.confidence - one.confidence);
    const [best, ...others] = found;
    if (!best) return { ...abstained('duplicate', method, null), abstain_reason: 'low_confidence' };
    return { ...abstained('duplicate', method, null), ...best, alternatives: others.slice(0, 3), abstain_reason: null };
  }

  /** Minutes in which half of the tickets like it were resolved; beside it, those in which four of five were. */
  async resolutionTime({ category_id, priority }: PredictedTicket): Promise<NewPrediction> {
    const method = 'percentiles';
    const times = (await this.times(category_id, priority)) ?? (await this.times(null, priority));
    if (!times) return { ...abstained('resolution_time', method, null), abstain_reason: 'insufficient_data' };
    const label = (text: string): string => `${text} of ${times.n} tickets like it`;
    return {
      ...abstained('resolution_time', method, null),
      value: String(times.half),
      label: label('minutes that half'),
      confidence: 0.5,
      alternatives: [{ value: String(times.most), label: label('minutes that four fifths'), confidence: 0.8 }],
      abstain_reason: null,
    };
  }

  private compared({ id, requester_email }: PredictedTicket): Promise<Compared[]> {
    const open = `t.workspace_id = $1 AND t.id IS DISTINCT FROM $2 AND t.merged_into_id IS NULL AND t.created_at > now() - interval '${WITHIN}'
      AND t.status IN ('open', 'in_progress', 'on_hold')${andSeen('tickets', 't')}`;
    const some = (condition: string): string =>
      `(SELECT t.id, t.code, t.subject, left(t.description, ${COMPARED_CHARACTERS}) AS description FROM tickets t
        WHERE ${open} ${condition} ORDER BY t.created_at DESC, t.id DESC LIMIT ${COMPARED})`;
    const text = `${some('AND t.requester_email = $3')} UNION ${some('')}`;
    return this.database.read(filled(sql<Compared>(text, [currentWorkspaceId(), id, requester_email])));
  }

  private async times(
    categoryId: number | null,
    priority: string | null,
  ): Promise<{ n: number; half: number; most: number } | null> {
    const parameters = new Parameters(currentWorkspaceId());
    const conditions = [
      ...(categoryId === null ? [] : [`t.category_id = ${parameters.bind(categoryId)}`]),
      ...(priority === null ? [] : [`t.priority = ${parameters.bind(priority)}`]),
    ].map((condition) => ` AND ${condition}`);
    const resolved = `SELECT extract(epoch FROM t.resolved_at - t.created_at) / 60 AS minutes FROM tickets t
      WHERE t.workspace_id = $1 AND t.status IN ('resolved', 'closed') AND t.resolved_at IS NOT NULL${conditions.join('')}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST_RESOLVED}`;
    const text = `SELECT count(*)::integer AS n, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes))::integer AS half,
      round(percentile_cont(0.8) WITHIN GROUP (ORDER BY minutes))::integer AS most FROM (${resolved}) r`;
    const statement = sql<{ n: number; half: number; most: number }>(text, parameters.values);
    const [row] = await this.database.read(statement);
    return row && row.n >= LEAST_RESOLVED ? row : null;
  }
}
