import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { breather } from '../../../platform/workers/breather';
import { type Field, FIELDS, isField, LEAST_TICKETS, textOf, TRUTH } from '../tasks';
import { rounded } from './abstained';
import { Labels } from './labels';
import type { NewPrediction } from './prediction.entity';
import { similarity, vectorOf } from './similarity';
import type { PredictedTicket } from './ticket-predictors';

/** Characters of each text that are compared. */
const MOST_CHARACTERS = 1_000;
/** Tickets that speak for it at most, and from how alike on. */
const MOST = 10;
const LEAST_ALIKE = 0.2;
/** Tickets that are alike without which nothing is shown, and alternatives that are. */
const LEAST = 3;
const SHOWN = 3;
/** All of them together are no surer than this: nobody has judged how often they are right. */
const SURE = 0.5;

/** A closed ticket that is like it, and what it has. */
export type Neighbour = Record<Field, string | null> & { alike: number };

type Row = Record<Field, string | null> & { subject: string; description: string };

const VALUES = Object.keys(FIELDS)
  .filter(isField)
  .map((task) => `${TRUTH[task]} AS ${task}`)
  .join(', ');

/** What closed tickets like it have, as long as there are too few to learn from: shown beside the abstention, never said. */
@Injectable()
export class Neighbours {
  constructor(
    private readonly database: Database,
    private readonly labels: Labels,
  ) {}

  /** The closed tickets that are most like it, among as many of the newest as a model would need. */
  async of({ id, text }: PredictedTicket): Promise<Neighbour[]> {
    const statement = sql<Row>(
      `SELECT t.subject, left(t.description, ${MOST_CHARACTERS}) AS description, ${VALUES} FROM tickets t
       WHERE t.workspace_id = $1 AND t.status IN ('resolved', 'closed') AND t.merged_into_id IS NULL AND t.id IS DISTINCT FROM $2
       ORDER BY t.id DESC LIMIT ${LEAST_TICKETS}`,
      [currentWorkspaceId(), id],
    );
    const own = vectorOf(text.slice(0, MOST_CHARACTERS));
    const pause = breather();
    const found: Neighbour[] = [];
    for (const { subject, description, ...values } of await this.database.read(statement)) {
      found.push({ ...values, alike: similarity(own, vectorOf(textOf({ subject, description }))) });
      await pause();
    }
    return found.filter(({ alike }) => alike >= LEAST_ALIKE).sort((one, other) => other.alike - one.alike);
  }

  /** An abstention with what they say of its task. */
  async beside(abstention: NewPrediction, task: Field, neighbours: readonly Neighbour[]): Promise<NewPrediction> {
    const votes = votesOf(task, neighbours);
    if (votes.length === 0) return abstention;
    const names = await this.labels.of(
      task,
      votes.map(({ value }) => value),
    );
    const alternatives = votes.flatMap(({ value, confidence }) => {
      const label = names.get(value);
      return label === undefined ? [] : [{ value, label, confidence }];
    });
    return alternatives.length === 0
      ? abstention
      : { ...abstention, method: 'knn', alternatives: alternatives.slice(0, SHOWN) };
  }
}

/** What those that have a value say, by how alike they are (pure). */
export function votesOf(task: Field, neighbours: readonly Neighbour[]): { value: string; confidence: number }[] {
  const speaking = neighbours.filter((each) => each[task] !== null).slice(0, MOST);
  if (speaking.length < LEAST) return [];
  const all = speaking.reduce((sum, { alike }) => sum + alike, 0);
  const sums = new Map<string, number>();
  for (const each of speaking) sums.set(each[task] ?? '', (sums.get(each[task] ?? '') ?? 0) + each.alike);
  return [...sums]
    .map(([value, sum]) => ({ value, confidence: rounded((SURE * sum) / all) }))
    .sort((one, other) => other.confidence - one.confidence || (one.value < other.value ? -1 : 1));
}
