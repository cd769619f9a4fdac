import { Inject, Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { fail, invalid } from '../../platform/http/errors';
import { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../platform/resource/resource.service';
import { holdTopic } from '../../platform/resource/workspace-lock';
import type { Values } from '../../platform/resource/resource.service';
import { SecretBox } from '../../platform/secrets/secret-box';
import { type AddressRange, parseRanges } from '../../platform/outbound/addresses';
import { newSecret } from '../../platform/outbound/signature';
import { checkTargetUrl } from '../../platform/outbound/target-url';
import { PendingJobs } from './pending-jobs';
import { requireSubscribable } from './webhook-events';
import { checkFilter } from './webhook-filter';
import { type HeaderMap, hidden, revealed } from './webhook-headers';
import { secretHint, secretProblem } from './webhook-secret';
import { MAX_ACTIVE_WEBHOOKS, MAX_WEBHOOKS } from './webhook-values';
import type { CreateWebhook, RotateSecret } from './webhook.dto';
import { webhookResource } from './webhook.resource';

const DEFAULT_GRACE_SECONDS = 86_400;

/** Endpoints: what they are, their secrets, and when they stop. */
@Injectable()
export class WebhooksService extends ResourceService {
  private readonly allowed: readonly AddressRange[];

  constructor(
    kernel: ResourceKernel,
    private readonly secrets: SecretBox,
    private readonly pending: PendingJobs,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
  ) {
    super(webhookResource, kernel);
    this.allowed = parseRanges(config.webhookAllowCidrs);
  }

  /** Creates an endpoint. A secret made by the service is in the answer, this once; one's own is not repeated. */
  override async create(body: CreateWebhook): Promise<SingleResult> {
    const made = body.secret === undefined ? newSecret() : null;
    const result = await super.create(made === null ? body : Object.assign(body, { secret: made }));
    return made === null ? result : withSecret(result, made);
  }

  /** A new secret; for a while deliveries are signed with the previous one, too. */
  async rotateSecret(id: number, body: RotateSecret, expected: ExpectedVersions): Promise<SingleResult> {
    const { grace_period_seconds: grace = DEFAULT_GRACE_SECONDS } = body;
    const secret = body.secret ?? newSecret();
    const until = grace > 0 ? new Date(Date.now() + grace * 1_000).toISOString() : null;
    const result = await this.mutate(id, expected, (before) =>
      Promise.resolve({
        values: {
          ...this.sealed(secret),
          previous_secret_sealed: until === null ? null : before.secret_sealed,
          previous_secret_until: until,
        },
        always: true,
      }),
    );
    return body.secret === undefined ? withSecret(result, secret) : result;
  }

  /**
   * Stops deliveries to an endpoint that cannot take them, in the transaction of the attempt that showed it: what waits
   * is cancelled, and `webhook.deactivated` tells the other endpoints. Nothing when it does not exist or is not active.
   */
  async deactivate(id: number, reason: string, delivery: Record<string, unknown>): Promise<void> {
    const before = await this.rowIfAny(id);
    if (before?.status !== 'active') return;
    await this.apply(before, {
      values: {
        status: 'deactivated',
        is_active: false,
        deactivated_at: await this.database.moment(),
        deactivated_reason: reason,
      },
      events: ['webhook.deactivated'],
      related: { delivery },
    });
    await this.pending.cancel(id);
  }

  protected override async prepareCreate(values: Values, body: Values): Promise<undefined> {
    this.check(values, null);
    Object.assign(values, this.sealed(body.secret as string), { status: values.is_active ? 'active' : 'paused' });
    await this.requireRoom(values.is_active === true, 1);
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    this.check(values, before);
    if (values.is_active === true && before.is_active !== true) {
      await this.requireRoom(true, 0);
      Object.assign(values, { status: 'active', deactivated_at: null, deactivated_reason: null });
      await this.forgetFailures(before.id);
    } else if (values.is_active === false && before.is_active === true) {
      values.status = 'paused';
      await this.pending.cancel(before.id);
    }
    return { values };
  }

  protected override async prepareRemove(before: Row): Promise<void> {
    await this.pending.cancel(before.id, true);
  }

  /** Refuses bad values and turns the rest into what is stored. */
  private check(values: Values, before: Row | null): void {
    if (values.url !== undefined) {
      const { problem } = checkTargetUrl(values.url as string, this.allowed);
      if (problem !== null) invalid('url', 'format', `"url" ${problem}.`);
    }
    if (values.events !== undefined) requireSubscribable('events', values.events as string[]);
    if (values.filter !== undefined && values.filter !== null) {
      values.filter = checkFilter(values.filter as Record<string, unknown>);
    }
    if (values.headers === undefined) return;
    const stored = this.openHeaders((before?.headers_sealed ?? null) as string | null);
    const headers = revealed(values.headers as HeaderMap, stored);
    values.headers = hidden(headers);
    // Sealing twice gives two texts: only a change is one.
    if (JSON.stringify(headers) !== JSON.stringify(stored)) {
      values.headers_sealed = this.secrets.seal(JSON.stringify(headers));
    }
  }

  private openHeaders(sealed: string | null): HeaderMap {
    return sealed === null ? {} : (JSON.parse(this.secrets.open(sealed)) as HeaderMap);
  }

  private sealed(secret: string): Values {
    const problem = secretProblem(secret);
    if (problem !== null) invalid('secret', 'format', `"secret" ${problem}.`);
    return { secret_sealed: this.secrets.seal(secret), secret_hint: secretHint(secret) };
  }

  /** The topic keeps two requests from taking the last place. */
  private async requireRoom(active: boolean, more: number): Promise<void> {
    await holdTopic(this.database, 'webhooks');
    const [count] = await this.database.query<{ all: number; active: number }>(
      `SELECT count(*) AS all, count(*) FILTER (WHERE is_active) AS active FROM webhooks WHERE workspace_id = $1`,
      [currentWorkspaceId()],
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
    await this.database.batch([
      {
        text: `UPDATE webhooks SET failure_count = 0 WHERE workspace_id = $1 AND id = $2`,
        values: [currentWorkspaceId(), id],
      },
    ]);
  }

  private async rowIfAny(id: number): Promise<Row | null> {
    const text = `SELECT row_to_json(r)::text FROM (SELECT ${this.kernel.storedColumns(this.resource)} FROM webhooks t WHERE t.workspace_id = $1 AND t.id = $2 FOR UPDATE) r`;
    const [rows] = await this.database.batch([{ text, values: [currentWorkspaceId(), id] }]);
    return JSON.parse(rows?.[0]?.[0] ?? 'null') as Row | null;
  }
}

/** The answer with the secret as a further member. */
function withSecret(result: SingleResult, secret: string): SingleResult {
  const json = `${result.json.slice(0, -1)},"secret":${JSON.stringify(secret)}}`;
  return new SingleResult(json, result.etag, result.status);
}
