/** Minutes allowed for one priority. */
export interface SlaTarget {
  first_response_minutes: number;
  resolution_minutes: number;
}

export type SlaTargets = Record<'urgent' | 'high' | 'medium' | 'low', SlaTarget>;

/** Due moments of a ticket, ISO 8601; null while paused. */
export interface DueDates {
  first_response_due_at: string | null;
  sla_due_at: string | null;
}

const MINUTE_MS = 60_000;

/**
 * Due moments under an around-the-clock policy: target minutes after creation, later by the time spent paused.
 *
 * @param createdAt ISO 8601
 * @param pausedSeconds whole pauses so far; they move the resolution, not the first response
 * @param paused the clock stands still now, so there is no resolution due moment
 */
export function dueDates(
  targets: SlaTargets,
  priority: string,
  createdAt: string,
  pausedSeconds: number,
  paused: boolean,
): DueDates {
  const target = targets[priority as keyof SlaTargets];
  const start = new Date(createdAt).getTime();
  const after = (minutes: number, seconds: number): string =>
    new Date(start + minutes * MINUTE_MS + seconds * 1_000).toISOString();
  return {
    first_response_due_at: after(target.first_response_minutes, 0),
    sla_due_at: paused ? null : after(target.resolution_minutes, pausedSeconds),
  };
}
