import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { classify } from '../model/classifier';
import { explain } from '../model/explain';
import { SeenText } from '../model/seen-text';
import { LoadedModels, type ReadyModel } from '../models/loaded-models';
import { circumstancesOf } from '../training/breach-data';
import { abstained, rounded } from './abstained';
import type { NewPrediction } from './prediction.entity';
import type { PredictedTicket } from './ticket-predictors';

/** Tickets whose SLA is over that there must be, that are looked at, and that must be like it to speak for it. */
const LEAST = 200;
const MOST = 5_000;
const LEAST_ALIKE = 20;
/** As if so many like it had been as all are. */
const BEFORE = 10;

interface Counted {
  n: number;
  breached: number;
}

const over = (condition: string, name: string): string =>
  `(count(*) FILTER (WHERE ${condition}))::integer AS ${name}_n, (count(*) FILTER (WHERE ${condition} AND s.sla_status = 'breached'))::integer AS ${name}_breached`;

const COUNTS = `
  SELECT ${over('true', 'all')}, ${over('s.priority = $2', 'priority')}, ${over('s.priority = $2 AND s.category_id = $3', 'own')}
  FROM (SELECT t.priority, t.category_id, t.sla_status FROM tickets t
    WHERE t.workspace_id = $1 AND t.status IN ('resolved', 'closed') AND t.sla_status IN ('met', 'breached')
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${MOST}) s`;

type Row = Record<`${'all' | 'priority' | 'own'}_${'n' | 'breached'}`, number>;

/**
 * Predicts whether a ticket misses its SLA: by a model of how tickets were and what became of them, or, without one, by how often those of
 * its category and priority did, which is said in any case.
 */
@Injectable()
export class BreachPredictor {
  constructor(
    private readonly database: Database,
    private readonly models: LoadedModels,
  ) {}

  async predict(ticket: PredictedTicket, ready: readonly ReadyModel[]): Promise<NewPrediction> {
    const shares = await this.byShares(ticket);
    if (ticket.id === null || shares.value === null) return shares;
    const model = ready.find(({ task }) => task === 'sla_breach_risk');
    const classifier = model && (await this.models.classifier(model));
    const circumstances = classifier && (await circumstancesOf(this.database, ticket.id));
    if (!circumstances) return shares;
    const words = new SeenText(circumstances);
    const [best, ...others] = classify(classifier, words).map(({ value, confidence }) => {
      return { value, label: shares.label ?? value, confidence: rounded(confidence) };
    });
    if (!best) return shares;
    const features = explain(classifier, words, best.value);
    return { ...shares, ...best, alternatives: others, features, method: model.method, model_id: model.id };
  }

  private async byShares({ priority, category_id }: PredictedTicket): Promise<NewPrediction> {
    const nothing = abstained('sla_breach_risk', 'base-rates', null);
    const values = [currentWorkspaceId(), priority, category_id];
    const [row] = await this.database.read(sql<Row>(COUNTS, values));
    if (!row || row.all_n < LEAST) return { ...nothing, abstain_reason: 'insufficient_data' };
    const all = { n: row.all_n, breached: row.all_breached };
    const like = [
      { n: row.own_n, breached: row.own_breached },
      { n: row.priority_n, breached: row.priority_breached },
    ].find(({ n }) => n >= LEAST_ALIKE);
    const risk = riskOf(like ?? all, all);
    const label = `${(like ?? all).breached} of ${(like ?? all).n} tickets like it breached, ${all.breached} of all ${all.n}`;
    const both = [
      { value: 'met', label, confidence: rounded(1 - risk) },
      { value: 'breached', label, confidence: rounded(risk) },
    ].sort((one, other) => other.confidence - one.confidence);
    const [best, other] = both;
    if (!best || !other) throw new Error('There are two ends.');
    return { ...nothing, ...best, alternatives: [other], abstain_reason: null };
  }
}

/** Share of those like it that breached, drawn to that of all where they are few. */
function riskOf(like: Counted, all: Counted): number {
  return (like.breached + (BEFORE * all.breached) / all.n) / (like.n + BEFORE);
}
