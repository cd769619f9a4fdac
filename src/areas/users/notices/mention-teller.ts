import type { NoticeMail } from './notice-mail';

/** A place besides notes on tickets where users are named; its area registers with `AgentNotices`. */
export interface MentionTeller {
  /** Types of the events that may name users. */
  readonly types: readonly string[];
  /** SQL of a JSON array (jsonb) of the ids of those whom an event names for the first time, given the row of the event. */
  named(event: string): string;
  /** What a user is told, as they see it when it is told; null when they do not, or when it is gone. Within the workspace, in no unit of work. */
  mail(eventId: number, userId: number): Promise<NoticeMail | null>;
}
