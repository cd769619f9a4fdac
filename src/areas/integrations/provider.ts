/** A JSON Schema (draft-07 subset) of a provider's configuration. */
export interface ConfigSchema {
  type: 'object';
  properties: Readonly<Record<string, ConfigField>>;
  required: readonly string[];
  additionalProperties: false;
}

/** One setting; `writeOnly` marks a secret: kept encrypted, never shown again. */
export interface ConfigField {
  type: 'string' | 'integer' | 'boolean' | 'array';
  title: string;
  description?: string;
  writeOnly?: true;
  format?: 'uri' | 'email' | 'mail-host';
  enum?: readonly string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: { type: 'string'; format?: 'email'; maxLength?: number };
  minItems?: number;
  maxItems?: number;
  uniqueItems?: true;
  default?: string | number | boolean;
}

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

/** What can be integrated: one entry of the catalogue. */
export interface Provider {
  key: string;
  name: string;
  description: string;
  category: (typeof CATEGORIES)[number];
  auth_type: (typeof AUTH_TYPES)[number];
  config_schema: ConfigSchema;
  /** What an installation may subscribe to, as in `webhooks.events`; empty = it is not sent events. */
  events: readonly string[];
  /** Subscribed to when an installation names no events. */
  default_events: readonly string[];
  actions: readonly string[];
  docs_url: string;
  /** True only where an adapter exists. */
  is_available: boolean;
}

/** Names of the settings that are secrets. */
export function secretsOf({ config_schema }: Provider): string[] {
  return Object.entries(config_schema.properties)
    .filter(([, field]) => field.writeOnly)
    .map(([name]) => name);
}
