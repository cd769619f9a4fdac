export const CATEGORIES = [
  'messaging',
  'dev_tools',
  'calendar',
  'crm',
  'telephony',
  'payments',
  'migration',
  'generic',
] as const;

export const AUTH_TYPES = ['none', 'api_key', 'oauth2', 'basic', 'webhook'] as const;

/** How urgent a message looks. */
export type Tone = 'neutral' | 'good' | 'warning' | 'bad';

/** What a message says, before any platform's markup. All texts come from strangers and are to be escaped. */
export interface Notice {
  /** What happened, in one sentence of ours. */
  headline: string;
  /** Which record: `TCK-000123 Printer is jammed`. */
  title: string;
  /** What was said: a comment, the description of a new ticket, an error. Null when nothing was. */
  quote: string | null;
  facts: { label: string; value: string }[];
  /** Who did it. */
  actor: string;
  /** The record in the API; null when the service's own address is not known. */
  link: string | null;
  tone: Tone;
  /** ISO 8601. */
  at: string;
}

/** A request that tells of an event, posted as JSON. */
export interface ProviderMessage {
  url: string;
  body: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** Whoever knows the address may post: the log then shows only where it leads. */
  isSecret?: boolean;
}

/** What can be integrated: one entry of the catalogue. */
export interface Provider<Config extends object = object> {
  key: string;
  name: string;
  description: string;
  category: (typeof CATEGORIES)[number];
  auth_type: (typeof AUTH_TYPES)[number];
  /** What an installation sets: a class with the members of `settings.ts`. */
  config: new () => Config;
  /** What an installation may subscribe to, as in `webhooks.events`; empty = it is not sent events. */
  events: readonly string[];
  /** Subscribed to when an installation names no events. */
  default_events: readonly string[];
  actions: readonly string[];
  docs_url: string;
  /** True only where something does its work: an adapter of the integrations, or `message`. */
  is_available: boolean;
  /** What tells an installation of an event; sent with the attempts, limits and log of all integrations. Pure. */
  message?(notice: Notice, settings: Config): ProviderMessage;
}
