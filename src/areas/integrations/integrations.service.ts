import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { isSubscribable, subscribableNames } from '../../platform/events/event-catalogue';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { SecretBox } from '../../platform/secrets/secret-box';
import { type AddressRange, parseRanges } from '../../platform/outbound/addresses';
import { ownJson } from '../../platform/text/json';
import { type Config, mergedConfig, redacted, secretPart, wholeConfig } from './integration-config';
import type { Provider } from '../../platform/area/provider';
import type { CreateIntegration, UpdateIntegration } from './integration.dto';
import { Integration } from './integration.entity';
import { PROVIDERS, providerOf } from './provider-table';

const MAX_INTEGRATIONS = 50;

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
export class IntegrationsService {
  private readonly allowed: readonly AddressRange[];

  constructor(
    @InjectStore(Integration) private readonly integrations: Store<Integration>,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
  ) {
    this.allowed = parseRanges(config.webhookAllowCidrs);
  }

  create(body: CreateIntegration): Promise<SingleResult> {
    return this.integrations.holding(() => this.integrations.create(body, (values) => this.complete(values, body)));
  }

  update(id: number, body: UpdateIntegration, expected: ExpectedVersions): Promise<SingleResult> {
    return this.integrations.update(id, body, expected, (before, values) => this.follow(before, values));
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
    const events = ['integration.updated', 'integration.error'].map((type) => ({ type, related: { error } }));
    await this.integrations.mutate(id, null, (before) =>
      before.status === 'active' ? { values: { status: 'error' }, events } : { values: {} },
    );
    await this.cancelDeliveries(id);
  }

  private async complete(values: Values<Integration>, body: CreateIntegration): Promise<undefined> {
    const provider = this.available(body.provider);
    checkStatus(body.status);
    const [count] = await this.database.query<{ n: number }>(
      'SELECT count(*) AS n FROM integrations WHERE workspace_id = $1',
      [currentWorkspaceId()],
    );
    if (Number(count?.n) >= MAX_INTEGRATIONS)
      invalid('provider', 'max', `A workspace has at most ${MAX_INTEGRATIONS} integrations.`, {
        max: MAX_INTEGRATIONS,
      });
    const config = mergedConfig(provider, {}, body.config ?? {}, this.allowed);
    values.name ??= provider.name;
    values.events = body.events ?? [...provider.default_events];
    checkEvents(provider, values.events, config);
    values.config = redacted(provider, config);
    values.sealed = this.seal(secretPart(provider, config));
    values.connected_by = current().access?.token.user_id ?? null;
  }

  private async follow(before: Row<Integration>, values: Values<Integration>): Promise<Change<Integration>> {
    const provider = this.known(before.provider);
    const { status, events, config: asked } = values;
    if (status !== undefined && status !== before.status) {
      checkStatus(status);
      await this.statusChanged(before.id, status);
    }
    const config = this.wholeOf(provider, before);
    const after = asked === undefined ? config : mergedConfig(provider, config, asked, this.allowed);
    if (events !== undefined || asked !== undefined) checkEvents(provider, events ?? before.events, after);
    if (asked === undefined) return { values };
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

  private wholeOf(provider: Provider, { config, sealed }: Pick<Integration, 'config' | 'sealed'>): Config {
    return wholeConfig(provider, config, sealed === null ? {} : ownJson<Config>(this.secrets.open(sealed)));
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

function checkStatus(status: Integration['status'] = 'active'): void {
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
