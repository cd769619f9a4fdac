/** What is learnt from the closed tickets of a workspace. */
export const LEARNT_TASKS = [
  'category',
  'priority',
  'assignee',
  'team',
  'tags',
  'intent',
  'csat_risk',
  'sla_breach_risk',
] as const;
export type LearntTask = (typeof LEARNT_TASKS)[number];

/** Those that are a field of a ticket. */
export const FIELDS = {
  category: 'category_id',
  priority: 'priority',
  assignee: 'assigned_to',
  team: 'team_id',
} as const satisfies Partial<Record<LearntTask, string>>;
export type Field = keyof typeof FIELDS;

/** Those that a ticket can be set to: how content its customer is going to be is not. */
export const APPLICABLE_TASKS = ['category', 'priority', 'assignee', 'team', 'tags', 'intent'] as const;
export type ApplicableTask = (typeof APPLICABLE_TASKS)[number];

/** How customers rated: 4 and 5, or 1 and 2. */
export const CSAT_RISKS = ['satisfied', 'dissatisfied'] as const;

/** How SLAs end. */
export const SLA_ENDS = ['met', 'breached'] as const;

/** Tags by which a workspace says what a ticket wants: `intent__refund` is the intent `refund`. */
export const INTENT_TAG = 'intent__';

const tags = (condition: string): string =>
  `(SELECT string_agg(x.tag, ',' ORDER BY x.place) FROM unnest(string_to_array(t.tags, ',')) WITH ORDINALITY AS x(tag, place) WHERE ${condition})`;

/** SQL for what is true of the ticket `t`, as text; null where nobody has said. Several tags are joined by commas. */
export const TRUTH = {
  category: 't.category_id::text',
  priority: 't.priority',
  assignee: 't.assigned_to::text',
  team: 't.team_id::text',
  tags: tags(`x.tag <> '' AND NOT starts_with(x.tag, '${INTENT_TAG}')`),
  intent: `(SELECT min(substr(x.tag, ${INTENT_TAG.length + 1})) FROM unnest(string_to_array(t.tags, ',')) AS x(tag) WHERE starts_with(x.tag, '${INTENT_TAG}') AND length(x.tag) > ${INTENT_TAG.length})`,
  csat_risk: `CASE WHEN t.csat_score >= 4 THEN '${CSAT_RISKS[0]}' WHEN t.csat_score <= 2 THEN '${CSAT_RISKS[1]}' END`,
  sla_breach_risk: `CASE WHEN t.sla_status IN ('met', 'breached') THEN t.sla_status END`,
} as const satisfies Record<LearntTask, string>;

/** Everything that can be predicted of a ticket. */
export const TASKS = [...LEARNT_TASKS, 'language', 'sentiment', 'duplicate', 'resolution_time'] as const;
export type Task = (typeof TASKS)[number];

/** Closed tickets that a model needs, and those of one class without which it does not know that class. */
export const LEAST_TICKETS = 200;
export const LEAST_OF_A_CLASS = 20;

export function isField(task: string): task is Field {
  return task in FIELDS;
}

export function isLearnt(task: Task): task is LearntTask {
  return LEARNT_TASKS.some((each) => each === task);
}

/** Whether nothing can be said of it without a model: of the intent there are rules, of the SLA shares. */
export function needsModel(task: Task): boolean {
  return isLearnt(task) && task !== 'intent' && task !== 'sla_breach_risk';
}

/** The text of a ticket that is learnt from and predicted by; what it is about comes first. */
export function textOf({ subject, description }: { subject: string; description: string }): string {
  return `${subject}\n${description}`;
}
