/** What is known of a ticket and its SLA at a moment. */
export interface Circumstances {
  priority: string | null;
  category_id: number | null;
  /** How far its time had gone, 0 to 1. */
  elapsed: number;
  /** Answers of agents until then. */
  replies: number;
  /** Tickets that were open, for each person. */
  waiting: number;
  /** Of the day, and of the week (1 = Monday), in UTC. */
  hour: number;
  weekday: number;
}

const QUARTERS = 4;
const HOURS = 4;
const MOST_REPLIES = 3;
const MOST_WAITING = 10;

/** The same in words, so that models of texts learn from them and say which of them spoke for what (pure). */
export function circumstanceWords(given: Circumstances): string {
  const { priority, category_id, elapsed, replies, waiting, hour, weekday } = given;
  const quarter = Math.min(QUARTERS - 1, Math.floor(Math.max(0, elapsed) * QUARTERS));
  const from = Math.floor(hour / HOURS) * HOURS;
  return [
    `category${category_id ?? 'none'}`,
    `priority${priority ?? 'none'}`,
    `elapsed${(quarter * 100) / QUARTERS}`,
    `replies${Math.min(MOST_REPLIES, replies)}`,
    // Twice as many is one more.
    `waiting${Math.min(MOST_WAITING, Math.ceil(Math.log2(1 + Math.max(0, waiting))))}`,
    `hours${from}to${from + HOURS}`,
    `weekday${weekday}`,
  ].join(' ');
}
