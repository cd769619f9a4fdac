/** Closed lists of meetings and their types. */

export const MEETING_STATUSES = ['pending', 'scheduled', 'completed', 'cancelled', 'rejected', 'no_show'] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

export const LOCATION_TYPES = ['video', 'phone', 'in_person', 'custom'] as const;

/** Who of the hosts takes a meeting: the first who is free, whose turn it is, or all together. */
export const SCHEDULINGS = ['single', 'round_robin', 'collective'] as const;

export const ATTENDEE_RESPONSES = ['needs_action', 'accepted', 'declined', 'tentative'] as const;
export type AttendeeResponse = (typeof ATTENDEE_RESPONSES)[number];

/** Minutes; also without a type and without an end. */
export const DEFAULT_DURATION = 30;
export const MAX_DURATION = 1_440;
export const MAX_BUFFER = 480;
export const MAX_HOSTS = 50;
