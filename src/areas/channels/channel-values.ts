/** Ways in which people talk with a workspace; `internal`: its own people with each other. */
export const CHANNEL_TYPES = [
  'internal',
  'webchat',
  'email',
  'whatsapp',
  'sms',
  'telegram',
  'slack',
  'ms_teams',
  'facebook',
  'instagram',
  'api',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export const CHANNEL_DIRECTIONS = ['inbound', 'outbound', 'both'] as const;
export const CHANNEL_STATUSES = ['active', 'paused', 'error', 'archived'] as const;
export const THREAD_STATUSES = ['open', 'closed'] as const;

export const MESSAGE_DIRECTIONS = ['inbound', 'outbound', 'internal'] as const;
export const MESSAGE_TYPES = ['text', 'image', 'file', 'audio', 'video', 'location', 'template', 'event'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
export const MESSAGE_AUTHORS = ['agent', 'contact', 'bot', 'system'] as const;
export const MESSAGE_STATUSES = ['received', 'queued', 'sent', 'delivered', 'read', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Most characters of a message: 64 Ki, as of a comment. */
export const MAX_MESSAGE = 65_536;
/** Most characters of an address: a number, a handle, the id of a person or of a conversation. */
export const MAX_PEER = 255;

/** What tickets call the way that they came by. */
export function ticketChannelOf(type: ChannelType): 'chat' | 'email' | 'internal' {
  if (type === 'email') return 'email';
  return type === 'internal' ? 'internal' : 'chat';
}

/** How far a message has come; a provider may tell it twice and in any order. */
const ADVANCE: Readonly<Record<MessageStatus, number>> = {
  received: 9,
  queued: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
};

/** Whether what is told of a message that was sent says more than is known. */
export function isAdvance(known: MessageStatus, told: MessageStatus): boolean {
  return ADVANCE[told] > ADVANCE[known];
}
