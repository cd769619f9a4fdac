import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorDetail } from '../../../platform/errors/api-error';
import type { OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound-result';
import type { MessageTemplate } from '../message-template';
import type { ChannelType, MessageStatus, MessageType } from '../channel-values';

/** How somebody at the other end is known: one of the three. */
export interface Peer {
  email?: string;
  /** E.164, e.g. `+12025550142`. */
  phone?: string;
  /** What the other side calls them. */
  handle?: string;
  /** An address that they only say is theirs: that of the contact who is made for a handle, unless somebody has it. Lower-case. */
  claimed?: string | null;
  name: string | null;
}

/** What the other side calls the message that something is about. */
interface About {
  external_message_id: string;
}

/** A message from outside, before anybody knows whose it is. */
export interface ArrivedMessage extends About {
  kind: 'message';
  /** What the other side calls the conversation. */
  conversation: string;
  /** What answers are sent to; the conversation unless given. */
  reply_to: string | null;
  from: Peer;
  subject: string | null;
  body: string;
  message_type: MessageType;
  /** ISO 8601; null where it is not told. */
  sent_at: string | null;
  /** The message that it answers. */
  in_reply_to: string | null;
  /** What is told besides: flat. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Files that were uploaded before, by their ids. */
  attachment_ids?: readonly number[];
}

/** How far a message has come that was sent. */
export interface ArrivedStatus extends About {
  kind: 'status';
  status: Extract<MessageStatus, 'sent' | 'delivered' | 'read' | 'failed'>;
  error: { code: string; message: string } | null;
  /** ISO 8601 */
  at: string | null;
}

export interface ArrivedEdit extends About {
  kind: 'edit';
  body: string;
}

export interface ArrivedDeletion extends About {
  kind: 'deletion';
}

export interface ArrivedReaction extends About {
  kind: 'reaction';
  from: Peer;
  emoji: string;
  removed: boolean;
}

/** What a request of the other side tells. */
export type Arrival = ArrivedMessage | ArrivedStatus | ArrivedEdit | ArrivedDeletion | ArrivedReaction;

/** A request of the other side as it came. */
export interface SignedRequest {
  method: string;
  /** The address that it was sent to, with its query; as the other side knows it. */
  url: string;
  headers: IncomingHttpHeaders;
  query: Readonly<Record<string, unknown>>;
  body: Buffer;
  /** Real time: signatures are of the world outside. ms since 1970. */
  nowMs: number;
}

/** What becomes of it. */
export type Reception =
  | { kind: 'arrivals'; arrivals: readonly Arrival[] }
  /** Answered at once: the other side asks whether this is the right place. */
  | { kind: 'answer'; type: string; text: string }
  /** It is not from whom it says, too old, or not readable. */
  | { kind: 'refused'; why: 'signature' | 'replay'; message: string }
  /** What exactly is wrong with it, where that is known. */
  | { kind: 'refused'; why: 'form'; message: string; problem?: Pick<ErrorDetail, 'field' | 'code'> };

/** A message on its way out. */
export interface Outgoing {
  /** Stable across attempts. */
  id: number;
  channel_id: number;
  thread_id: number;
  /** What the other side calls the conversation. */
  conversation: string;
  to: string;
  to_name: string | null;
  body: string;
  /** Links that open the files for who has no token. */
  files: readonly { filename: string; content_type: string; url: string }[];
  /** What the other side calls the message that it answers. */
  in_reply_to: string | null;
  author_name: string | null;
  metadata: Readonly<Record<string, unknown>>;
  /** Sent in place of the text. */
  template: MessageTemplate | null;
  /** It is taken only because a person wrote it: `hours` of the window have passed, `agentHours` have not. */
  is_personal_alone: boolean;
  /** ISO 8601 */
  created_at: string;
}

/** Hours since the other side last wrote, in which it takes messages. */
export interface ReplyWindow {
  /** Whoever wrote them: people, rules, the AI engine. */
  hours: number;
  /** Those that a person wrote. */
  agentHours: number;
}

/** What the other side said to a message. */
export interface Receipt {
  external_message_id: string | null;
  /** Why it was refused although it was answered, where that is so. */
  refusal: { code: string; message: string; isPermanent: boolean } | null;
}

/**
 * What one type of channel is. Pure: it reads requests and makes them; who sends them, when, and how often is not its business.
 * `Config` is a class with the members of `platform/area/settings.ts`.
 */
export interface ChannelAdapter<Config extends object = object> {
  readonly type: ChannelType;
  readonly name: string;
  readonly config: new () => Config;
  /** People outside write in it; otherwise those of the workspace among themselves. */
  readonly isOutside: boolean;
  /** Whoever is outside comes for what is said: it is sent once it is written. */
  readonly isFetched?: boolean;
  /** How long the other side takes what is no template; for ever unless given. */
  replyWindow?(settings: Config): ReplyWindow;
  readonly takesTemplates?: boolean;
  /** It is told the files of a message; other networks are sent links to them below the text. */
  readonly takesFiles?: boolean;
  /** Most characters of a text that it takes; longer ones leave in parts. */
  readonly maxText?: number;
  /** The mail of this service carries what is said, as comments on tickets; and brings what comes in. */
  readonly isMailed?: boolean;
  /** What the other side wants to hear when all was taken; our envelope unless given. */
  readonly acknowledgement?: { type: string; text: string };
  /** Reads a request of the other side; never throws for what it says. */
  receive?(request: SignedRequest, settings: Config): Reception;
  /** The request that sends a message; null where the settings name nowhere to send it to. */
  send?(message: Outgoing, settings: Config): OutboundRequest | null;
  /** What an answer of 2xx says. */
  receipt?(result: OutboundResult): Receipt;
  /** A request that shows whether the other side is there and takes the settings. */
  probe?(settings: Config): OutboundRequest | null;
}
