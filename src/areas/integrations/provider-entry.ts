import type { ConfigSchema } from '../../platform/openapi/config-schema';
import { AUTH_TYPES, CATEGORIES, type Provider } from '../../platform/area/provider';
import { AnyMember, EnumMember, FlagMember, TextMember } from '../../platform/http/answer-members';

const Texts = (description: string): PropertyDecorator =>
  AnyMember({ type: 'array', items: { type: 'string' } }, { description });

/** A provider as the catalogue shows it. */
export class ProviderEntry implements Omit<Provider, 'config' | 'message'> {
  @TextMember({ example: 'slack' })
  key: string;

  @TextMember()
  name: string;

  @TextMember()
  description: string;

  @EnumMember(CATEGORIES)
  category: Provider['category'];

  @EnumMember(AUTH_TYPES)
  auth_type: Provider['auth_type'];

  @AnyMember(
    { type: 'object', additionalProperties: true },
    { description: 'JSON Schema of `config`; `writeOnly` marks secrets.' },
  )
  config_schema: ConfigSchema;

  @Texts('What it may be sent; empty = nothing.')
  events: readonly string[];

  @Texts('What it is sent unless the installation says otherwise.')
  default_events: readonly string[];

  @Texts('What it does.')
  actions: readonly string[];

  @TextMember({ format: 'uri' })
  docs_url: string;

  @FlagMember({ description: 'Whether it can be installed.' })
  is_available: boolean;

  @FlagMember({ description: 'Whether the workspace has an installation of it.' })
  installed: boolean;
}
