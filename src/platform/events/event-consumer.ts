/** An event as the dispatcher hands it to consumers; the record itself stays in the `events` row. */
export interface OutboxEvent {
  /** `events.id`; with `workspace_id` it names the row. */
  id: number;
  workspace_id: number;
  uid: string;
  type: string;
  object: string;
  object_id: number;
}

/** Turns events into jobs: webhook deliveries, runs of automations, messages of integrations. */
export interface EventConsumer {
  readonly name: string;
  /**
   * Inserts what is to be done because of these events, of any workspaces, oldest first. Runs as the platform
   * (`Database.system`) in the transaction that takes the events out of the outbox: every event is consumed exactly
   * once. Only statements over the whole list, never one per event; those that it need not wait for by `Database.later`, in one
   * flush with those of other consumers.
   */
  consume(events: readonly OutboxEvent[]): Promise<void>;
}
