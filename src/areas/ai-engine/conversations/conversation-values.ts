/** Closed lists of conversations: product reference 7.3. */
export const CONVERSATION_STATUSES = ['awaiting_user_reply', 'handed_over', 'resolved', 'abandoned'] as const;
export const OUTCOMES = [
  'unassisted',
  'assisted_escalation',
  'contained_resolution',
  'verified_resolution',
  'in_progress',
] as const;
export const RESOLUTION_STATES = ['assumed', 'confirmed', 'negative_feedback'] as const;
export const HANDOVER_REASONS = [
  'requested',
  'low_confidence',
  'rule',
  'negative_sentiment',
  'max_turns',
  'no_sources',
  'urgent',
  'provider_error',
] as const;
export type HandoverReason = (typeof HANDOVER_REASONS)[number];

export const MESSAGE_ROLES = ['user', 'ai', 'agent'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** What the engine does with a message. That it hands over stands here, never in a text. */
export const MESSAGE_ACTIONS = ['answer', 'clarify', 'handover', 'resolve'] as const;
export type MessageAction = (typeof MESSAGE_ACTIONS)[number];

/** Most characters of a message. */
export const MAX_MESSAGE = 10_000;
