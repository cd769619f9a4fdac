/** What an owner may change about tickets, per workspace. */
export interface TicketSettings {
  /** Days after which a resolved ticket closes by itself; 0 = never. */
  auto_close_days: number;
  /** Days after closing in which a ticket may be reopened; null = always. */
  reopen_window_days: number | null;
  /** Assigning an open ticket moves it to in_progress. */
  auto_start_on_assign: boolean;
  /** Requesters are asked by mail to rate how their ticket was resolved. */
  csat_request: boolean;
  /** Minutes between the resolution and that mail. */
  csat_delay_minutes: number;
}
