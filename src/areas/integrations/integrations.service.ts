import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { currentWorkspaceId } from '../../platform/context/current';
import { isSubscribable, subscribableNames } from '../../platform/events/event-catalogue';
import { invalid } from '../../platform/http/errors';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../platform/resource/resource.service';
import { holdTopic } from '../../platform/resource/workspace-lock';
import type { Values } from '../../platform/resource/resource.service';
import { SecretBox } from '../../platform/secrets/secret-box';
import { type AddressRange, parseRanges } from '../../platform/outbound/addresses';
import { type Config, mergedConfig, redacted, secretPart, wholeConfig } from './integration-config';
import { integrationResource } from './integration.resource';
import type { Provider } from './provider';
import { PROVIDERS, providerOf } from './provider-table';

const MAX_INTEGRATIONS = 50;
/** `created` and so on are the kernel's words; the events of product reference 5.1 have others. */

/** An installation with its secrets, for whoever does its work. */
export interface Installation {
  id: number;
  provider: string;
  name: string;
  status: string;
  events: string[];
  config: Config;
}

/** Installed integrations: settings checked against the provider's schema, secrets sealed. */
@Injectable()
export class IntegrationsService extends ResourceService {
  private readonly allowed: readonly AddressRange[];

  constructor(
    kernel: ResourceKernel,
    private readonly secrets: SecretBox,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
  ) {
    super(integrationResource, kernel);
    this.allowed = parseRanges(config.webhookAllowCidrs);
  }

  /** One installation with its secrets; undefined when there is none. Opens a unit of work unless there is one. */
  async open(id: number): Promise<Installation | undefined> {
    const [found] = await this.openWhere('id = $2', id);
    return found;
  }

  /** The active installations of a provider, oldest first. */
  activeOf(provider: string): Promise<Installation[]> {
    return this.openWhere(`status = 'active' AND provider = $2`, provider);
  }

  /** Puts an installation to rest that has failed for good; says so once. Inside a unit of work. */
  async failed(id: number, error: { code: string; message: string }): Promise<void> {
    await this.mutate(id, null, (before) =>
      Promise.resolve(
        before.status === 'active'
          ? { values: { status: 'error' }, events: ['integration.error'], related: { error } }
          : { values: {} },
      ),
    );
    await this.cancelDeliveries(id);
  }

  protected override async prepareCreate(values: Values, body: Values): Promise<undefined> {
    const provider = this.available(values.provider as string);
    checkStatus(values.status as string);
    await holdTopic(this.database, 'integrations');
    const [count] = await this.database.query<{ n: number }>(
      'SELECT count(*) AS n FROM integrations WHERE workspace_id = $1',
      [currentWorkspaceId()],
    );
    if (Number(count?.n) >= MAX_INTEGRATIONS)
      invalid('provider', 'max', `A workspace has at most ${MAX_INTEGRATIONS} integrations.`, {
        max: MAX_INTEGRATIONS,
      });
    const config = mergedConfig(provider, {}, (body.config ?? {}) as Config, this.allowed);
    values.name ??= provider.name;
    values.events = body.events === undefined ? [...provider.default_events] : values.events;
    checkEvents(provider, values.events as string[], config);
    values.config = redacted(provider, config);
    values.sealed = this.seal(secretPart(provider, config));
    values.connected_by = this.actingUserId();
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    const provider = this.known(before.provider as string);
    if (values.status !== undefined && values.status !== before.status) {
      checkStatus(values.status as string);
      await this.statusChanged(before.id, values.status as string);
    }
    const config = this.wholeOf(provider, before);
    const after =
      values.config === undefined ? config : mergedConfig(provider, config, values.config as Config, this.allowed);
    if (values.events !== undefined || values.config !== undefined)
      checkEvents(provider, (values.events ?? before.events) as string[], after);
    if (values.config === undefined) return { values };
    const sealed =
      JSON.stringify(secretPart(provider, config)) === JSON.stringify(secretPart(provider, after))
        ? {}
        : { sealed: this.seal(secretPart(provider, after)) };
    return { values: { ...values, config: redacted(provider, after), ...sealed } };
  }

  /** What is still to be sent is not sent after a pause; what went wrong before is forgotten. */
  private async statusChanged(id: number, status: string): Promise<void> {
    if (status === 'disabled') await this.cancelDeliveries(id);
    else
      await this.database.query(
        `UPDATE integration_states SET error_count = 0, last_error = NULL, next_poll_at = NULL
         WHERE workspace_id = $1 AND integration_id = $2`,
        [currentWorkspaceId(), id],
      );
  }

  private async cancelDeliveries(id: number): Promise<void> {
    await this.database.query(
      `UPDATE integration_deliveries SET status = 'cancelled' WHERE workspace_id = $1 AND integration_id = $2 AND status = 'pending'`,
      [currentWorkspaceId(), id],
    );
  }

  private openWhere(condition: string, value: unknown): Promise<Installation[]> {
    return this.database.transaction(async () => {
      const rows = await this.database.query<Installation & { sealed: string | null }>(
        `SELECT id, provider, name, status, events, config, sealed FROM integrations WHERE workspace_id = $1 AND ${condition} ORDER BY id`,
        [currentWorkspaceId(), value],
      );
      return rows.map(({ sealed, ...row }) => ({
        ...row,
        config: this.wholeOf(this.known(row.provider), { config: row.config, sealed }),
      }));
    });
  }

  private wholeOf(provider: Provider, row: Readonly<Record<string, unknown>>): Config {
    const sealed = (row.sealed ?? null) as string | null;
    const secrets = sealed === null ? {} : (JSON.parse(this.secrets.open(sealed)) as Config);
    return wholeConfig(provider, row.config as Config, secrets);
  }

  private seal(secrets: Config): string | null {
    return Object.keys(secrets).length ? this.secrets.seal(JSON.stringify(secrets)) : null;
  }

  private known(key: string): Provider {
    const provider = providerOf(key);
    if (!provider) throw new Error(`There is no provider "${key}".`);
    return provider;
  }

  private available(key: string): Provider {
    const provider = this.known(key);
    if (!provider.is_available) {
      invalid('provider', 'unavailable', `${provider.name} cannot be installed yet.`, {
        allowed: PROVIDERS.filter(({ is_available }) => is_available).map((each) => each.key),
      });
    }
    return provider;
  }
}

function checkStatus(status: string): void {
  if (status !== 'active' && status !== 'disabled')
    invalid('status', 'enum', `"status" can be set to active or disabled; ${status} is for the service to say.`, {
      allowed: ['active', 'disabled'],
    });
}

function checkEvents(provider: Provider, events: readonly string[], config: Config): void {
  const unknown = events.find((name) => !isSubscribable(name));
  if (unknown !== undefined)
    invalid('events', 'enum', `"events" names an unknown event: ${unknown}.`, { allowed: subscribableNames() });
  if (events.length > 0 && provider.events.length === 0)
    invalid('events', 'invalid', `${provider.name} is not sent events.`);
  if (events.length > 0 && provider.key === 'smtp' && config.recipients === undefined)
    invalid('config.recipients', 'required', 'Events by mail need "config.recipients".');
}
