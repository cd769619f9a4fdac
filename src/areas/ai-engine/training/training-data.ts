import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { MAX_CHARACTERS } from '../model/text-features';
import { LEAST_OF_A_CLASS, LEAST_TICKETS, type LearntTask, textOf, TRUTH } from '../tasks';

/** Tags that are learnt at most: those that most tickets have. */
const MOST_TAGS = 100;

/** Tickets that are learnt from at most, the newest; and how many are read at a time. */
const MOST_TICKETS = 40_000;
const PORTION = 2_000;
/** Characters of all of them: with very long ones it is fewer tickets. */
const MOST_TEXT = 40_000_000;

/** Texts, and of each what is true. */
export interface TrainingData {
  texts: string[];
  values: string[];
  /** By which some are held out, where many texts are the same; else by what they say. */
  keys?: string[];
}

/** What there is to learn from, or why that is not enough. */
export interface Sufficient extends TrainingData {
  classes: { value: string; samples: number }[];
  reason: string | null;
}

/** What somebody said of a prediction is true as well, where the ticket itself does not say. */
const LABEL = {
  ...TRUTH,
  intent: `coalesce(${TRUTH.intent}, (SELECT p.actual_value FROM ai_predictions p WHERE p.workspace_id = t.workspace_id AND p.ticket_id = t.id
    AND p.task = 'intent' AND p.status IN ('accepted', 'corrected') ORDER BY p.id DESC LIMIT 1))`,
} as const satisfies Record<LearntTask, string>;

/** The newest closed tickets of the current workspace that have the value; read in portions, each in a statement of its own. */
export async function trainingData(database: Database, task: LearntTask): Promise<TrainingData> {
  const data: TrainingData = { texts: [], values: [] };
  let before = Number.MAX_SAFE_INTEGER;
  let characters = 0;
  while (data.texts.length < MOST_TICKETS && characters < MOST_TEXT) {
    const rows = await database.read(
      sql<{ id: number; subject: string; description: string; value: string }>(
        `SELECT t.id, t.subject, left(t.description, ${MAX_CHARACTERS}) AS description, ${LABEL[task]} AS value
         FROM tickets t WHERE t.workspace_id = $1 AND t.id < $2 AND t.status IN ('resolved', 'closed')
           AND t.merged_into_id IS NULL AND ${LABEL[task]} IS NOT NULL
         ORDER BY t.id DESC LIMIT ${PORTION}`,
        [currentWorkspaceId(), before],
      ),
    );
    for (const row of rows) {
      const text = textOf(row);
      characters += text.length;
      data.texts.push(text);
      data.values.push(row.value);
    }
    before = rows.at(-1)?.id ?? 0;
    if (rows.length < PORTION) break;
  }
  return data;
}

/** Leaves out classes of too few tickets, and says when what is left is too little to learn from (pure). */
export function sufficient({ texts, values, keys }: TrainingData): Sufficient {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const classes = [...counts]
    .filter(([, samples]) => samples >= LEAST_OF_A_CLASS)
    .map(([value, samples]) => ({ value, samples }))
    .sort((one, other) => other.samples - one.samples || (one.value < other.value ? -1 : 1));
  const known = new Set(classes.map(({ value }) => value));
  const kept = [...values.keys()].filter((at) => known.has(values[at] ?? ''));
  return {
    texts: kept.map((at) => texts[at] ?? ''),
    values: kept.map((at) => values[at] ?? ''),
    ...(keys ? { keys: kept.map((at) => keys[at] ?? '') } : {}),
    classes,
    reason: reasonOf(values.length, kept.length, classes.length),
  };
}

/** The same of tags, which a ticket has several of: one that hardly any ticket has, or hardly any has not, is not learnt (pure). */
export function sufficientTags({ texts, values }: TrainingData): Sufficient {
  const counts = new Map<string, number>();
  for (const value of values) for (const tag of value.split(',')) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const classes = [...counts]
    .filter(([, samples]) => Math.min(samples, texts.length - samples) >= LEAST_OF_A_CLASS)
    .map(([value, samples]) => ({ value, samples }))
    .sort((one, other) => other.samples - one.samples || (one.value < other.value ? -1 : 1))
    .slice(0, MOST_TAGS);
  return { texts, values, classes, reason: reasonOfTags(texts.length, classes.length) };
}

function reasonOfTags(all: number, classes: number): string | null {
  if (all < LEAST_TICKETS) return tooFew(all);
  if (classes > 0) return null;
  return `No tag is on ${LEAST_OF_A_CLASS} closed tickets and missing on as many others that have tags; it takes one.`;
}

function tooFew(all: number): string {
  return `There are ${all} closed tickets that have a value; it takes ${LEAST_TICKETS}.`;
}

function reasonOf(all: number, kept: number, classes: number): string | null {
  if (all < LEAST_TICKETS) return tooFew(all);
  if (classes < 2) return `Fewer than two values have ${LEAST_OF_A_CLASS} closed tickets; it takes two.`;
  if (kept < LEAST_TICKETS)
    return `Values with at least ${LEAST_OF_A_CLASS} closed tickets have ${kept} together; it takes ${LEAST_TICKETS}.`;
  return null;
}
