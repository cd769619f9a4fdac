import { Inject, Injectable } from '@nestjs/common';
import { clockMs } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { Database } from '../../platform/database/database';
import { fail, invalid } from '../../platform/errors/api-error';
import { SingleResult } from '../../platform/http/results';
import { type Change, withRelated } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { SecretBox } from '../../platform/secrets/secret-box';
import { type AddressRange, parseRanges } from '../../platform/outbound/addresses';
import { newSecret } from '../../platform/outbound/signature';
import { checkTargetUrl } from '../../platform/outbound/target-url';
import { ownJson } from '../../platform/text/json';
import { PendingJobs } from './pending-jobs';
import { requireSubscribable } from './webhook-events';
import { checkFilter } from './webhook-filter';
import { type HeaderMap, hidden, keptOf, revealed } from './webhook-headers';
import { secretHint, secretProblem } from './webhook-secret';
import { MAX_ACTIVE_WEBHOOKS, MAX_WEBHOOKS } from './webhook-values';
import type { CreateWebhook, RotateSecret, UpdateWebhook } from './webhook.dto';
import { Webhook } from './webhook.entity';

const DEFAULT_GRACE_SECONDS = 86_400;

/** Endpoints: what they are, their secrets, and when they stop. */
@Injectable()
export class WebhooksService {
  private readonly allowed: readonly AddressRange[];

  constructor(
    @InjectStore(Webhook) private readonly endpoints: Store<Webhook>,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly pending: PendingJobs,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
  ) {
    this.allowed = parseRanges(config.webhookAllowCidrs);
  }

  /** Creates an endpoint. A secret made by the service is in the answer, this once; one's own is not repeated. */
  async create(body: CreateWebhook): Promise<SingleResult> {
    const secret = body.secret ?? newSecret();
    const { result } = await this.createKnown(body, secret);
    return body.secret === undefined ? withSecret(result, secret) : result;
  }

  /** The same with that secret; answers the id, too. */
  createKnown(body: CreateWebhook, secret: string): Promise<{ id: number; result: SingleResult }> {
    return this.endpoints.createKnown(body, (values) => this.complete(values, secret));
  }

  update(id: number, body: UpdateWebhook, expected: ExpectedVersions): Promise<SingleResult> {
    return this.endpoints.update(id, body, expected, (before, values) => this.follow(before, values));
  }

  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.endpoints.remove(id, expected, () => this.pending.cancel(id, true));
  }

  /** A new secret; for a while deliveries are signed with the previous one, too. */
  async rotateSecret(id: number, body: RotateSecret, expected: ExpectedVersions): Promise<SingleResult> {
    const { grace_period_seconds: grace = DEFAULT_GRACE_SECONDS } = body;
    const secret = body.secret ?? newSecret();
    const until = grace > 0 ? new Date(clockMs() + grace * 1_000).toISOString() : null;
    const result = await this.endpoints.mutate(id, expected, ({ secret_sealed }) => ({
      values: {
        ...this.sealed(secret),
        previous_secret_sealed: until === null ? null : secret_sealed,
        previous_secret_until: until,
      },
      always: true,
    }));
    return body.secret === undefined ? withSecret(result, secret) : result;
  }

  /**
   * Stops deliveries to an endpoint that cannot take them, in the transaction of the attempt that showed it: what waits
   * is cancelled, and `webhook.deactivated` tells the other endpoints. Nothing when it does not exist or is not active.
   */
  async deactivate(id: number, reason: string, delivery: Record<string, unknown>): Promise<void> {
    const before = await this.endpoints.lockIfAny(id);
    if (before?.status !== 'active') return;
    await this.endpoints.apply(before, {
      values: {
        status: 'deactivated',
        is_active: false,
        deactivated_at: await this.database.moment(),
        deactivated_reason: reason,
      },
      events: withRelated(['webhook.updated', 'webhook.deactivated'], { delivery }),
    });
    await this.pending.cancel(id);
  }

  private async complete(values: Values<Webhook>, secret: string): Promise<undefined> {
    this.check(values, null);
    const { is_active = true } = values;
    Object.assign(values, this.sealed(secret), { status: is_active ? 'active' : 'paused' });
    await this.requireRoom(is_active, 1);
  }

  private async follow(before: Row<Webhook>, values: Values<Webhook>): Promise<Change<Webhook>> {
    this.check(values, before);
    if (values.is_active && !before.is_active) {
      await this.requireRoom(true, 0);
      Object.assign(values, { status: 'active', deactivated_at: null, deactivated_reason: null });
      await this.forgetFailures(before.id);
    } else if (values.is_active === false && before.is_active) {
      values.status = 'paused';
      await this.pending.cancel(before.id);
    }
    return { values };
  }

  /** Refuses bad values and turns the rest into what is stored. */
  private check(values: Values<Webhook>, before: Row<Webhook> | null): void {
    if (values.url !== undefined) {
      const { problem } = checkTargetUrl(values.url, this.allowed);
      if (problem !== null) invalid('url', 'format', `"url" ${problem}.`);
    }
    if (values.events !== undefined) requireSubscribable('events', values.events);
    if (values.filter) values.filter = checkFilter({ ...values.filter });
    const stored = this.openHeaders(before?.headers_sealed ?? null);
    if (before && leadsElsewhere(before.url, values.url)) requireAgain(values.headers, stored);
    if (values.headers === undefined) return;
    const headers = revealed(values.headers, stored);
    values.headers = hidden(headers);
    // Sealing twice gives two texts: only a change is one.
    if (JSON.stringify(headers) !== JSON.stringify(stored)) {
      values.headers_sealed = this.secrets.seal(JSON.stringify(headers));
    }
  }

  private openHeaders(sealed: string | null): HeaderMap {
    return sealed === null ? {} : ownJson(this.secrets.open(sealed));
  }

  private sealed(secret: string): Values<Webhook> {
    const problem = secretProblem(secret);
    if (problem !== null) invalid('secret', 'format', `"secret" ${problem}.`);
    return { secret_sealed: this.secrets.seal(secret), secret_hint: secretHint(secret) };
  }

  /** The topic keeps two requests from taking the last place. */
  private async requireRoom(active: boolean, more: number): Promise<void> {
    const [count] = await this.endpoints.holding(() =>
      this.database.query<{ all: number; active: number }>(
        `SELECT count(*) AS all, count(*) FILTER (WHERE is_active) AS active FROM webhooks WHERE workspace_id = $1`,
        [currentWorkspaceId()],
      ),
    );
    if (Number(count?.all) + more > MAX_WEBHOOKS) {
      fail('validation_error', `A workspace has at most ${MAX_WEBHOOKS} webhooks; delete one first.`);
    }
    if (active && Number(count?.active) + 1 > MAX_ACTIVE_WEBHOOKS) {
      const message = `A workspace has at most ${MAX_ACTIVE_WEBHOOKS} active webhooks; pause or delete one first.`;
      invalid('is_active', 'max', message);
    }
  }

  private async forgetFailures(id: number): Promise<void> {
    await this.database.run([
      {
        text: `UPDATE webhooks SET failure_count = 0 WHERE workspace_id = $1 AND id = $2`,
        values: [currentWorkspaceId(), id],
      },
    ]);
  }
}

function leadsElsewhere(before: string, after: string | undefined): boolean {
  return after !== undefined && new URL(after).origin !== new URL(before).origin;
}

/** Who changes where values of headers go shall know them: otherwise whoever may change an address could read them there. */
function requireAgain(given: HeaderMap | undefined, stored: HeaderMap): void {
  if (keptOf(given ?? hidden(stored), stored).length > 0)
    invalid('headers', 'required', '"headers" must be given again with their values: "url" leads elsewhere.');
}

/** The answer with the secret as a further member. */
function withSecret(result: SingleResult, secret: string): SingleResult {
  const json = `${result.json.slice(0, -1)},"secret":${JSON.stringify(secret)}}`;
  return new SingleResult(json, result.etag, result.status);
}
