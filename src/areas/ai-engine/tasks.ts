/** What is learnt from the closed tickets of a workspace, and the column of a ticket that says what is true. */
export const LEARNT_TASKS = ['category', 'priority', 'assignee', 'team'] as const;
export type LearntTask = (typeof LEARNT_TASKS)[number];

export const TRUTH = {
  category: 'category_id',
  priority: 'priority',
  assignee: 'assigned_to',
  team: 'team_id',
} as const satisfies Record<LearntTask, string>;

/** Everything that can be predicted of a ticket. */
export const TASKS = [
  ...LEARNT_TASKS,
  'language',
  'sentiment',
  'duplicate',
  'resolution_time',
  'sla_breach_risk',
] as const;
export type Task = (typeof TASKS)[number];

/** Closed tickets that a model needs, and those of one class without which it does not know that class. */
export const LEAST_TICKETS = 200;
export const LEAST_OF_A_CLASS = 20;

export function isLearnt(task: Task): task is LearntTask {
  return LEARNT_TASKS.some((each) => each === task);
}

/** The text of a ticket that is learnt from and predicted by; what it is about comes first. */
export function textOf({ subject, description }: { subject: string; description: string }): string {
  return `${subject}\n${description}`;
}
