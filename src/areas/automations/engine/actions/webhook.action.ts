import { Injectable } from '@nestjs/common';
import type {
  ActionExecutor,
  ActionPerformer,
  ActionWith,
  EffectContext,
  Prepared,
  Sent,
  Shown,
} from '../../../../platform/area/rules';
import { CAUSATION_DEPTH, CAUSATION_ROOT } from '../../../../platform/context/causation';
import { currentWorkspaceId } from '../../../../platform/context/current';
import { Database } from '../../../../platform/database/database';
import { callAttempt } from '../../../../platform/delivery/attempt';
import { fail } from '../../../../platform/errors/api-error';
import { resourceIfAny } from '../../../../platform/resource/resource';
import { SecretBox } from '../../../../platform/secrets/secret-box';
import { Outbound } from '../../../../platform/outbound/outbound';
import { isReservedHeader, type OutboundRequest } from '../../../../platform/outbound/outbound-result';
import { signatureHeaders } from '../../../../platform/outbound/signature';
import { ownJson } from '../../../../platform/text/json';
import type { WebhookParameters } from '../../action-parameters';
import { openedHeaders } from '../../sealed-headers';
import type { RuleContext } from '../rule-context';
import { rendered } from './field-actions';

/** A call to be made. `endpoint_id` brings secret and headers in when it is sent, so that neither is stored here; own headers are sealed. */
type Call = {
  method: OutboundRequest['method'];
  url: string;
  endpoint_id: number | null;
  headers: Record<string, string>;
  /** Their values; calls of older actions have them in `headers`. */
  sealed?: string | null;
  body: string | null;
  depth: number;
  root: string | null;
};

interface Endpoint {
  url: string;
  secret_sealed: string;
  headers_sealed: string | null;
}

/** Calls an address, or an endpoint of `/webhooks` with its signature. The rules for addresses are those of webhooks. */
@Injectable()
export class WebhookAction implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'webhook',
      kind: 'effect',
      prepare: (action: ActionWith<WebhookParameters>, context: RuleContext) => this.prepare(action, context),
      shown: (prepared: Call) => shown(prepared),
      send: (prepared: Call, context) => this.send(prepared, context),
    },
  ];

  constructor(
    private readonly database: Database,
    private readonly outbound: Outbound,
    private readonly secrets: SecretBox,
  ) {}

  private async prepare(action: WebhookParameters, context: RuleContext): Promise<Prepared> {
    const { url: named = '', endpoint_id: endpointId = null, method = 'POST', headers = {} } = action;
    const sealed = action.headers_sealed ?? null;
    const url = endpointId === null ? named : (await this.endpoint(endpointId)).url;
    const call: Call = {
      method,
      url,
      endpoint_id: endpointId,
      headers,
      sealed,
      body: method === 'GET' ? null : bodyOf(action.body, context),
      depth: context.causation.depth,
      root: context.causation.rootEventId,
    };
    return { ...call };
  }

  private async send(call: Call, { id, attempt }: EffectContext): Promise<Sent> {
    const endpointId = call.endpoint_id;
    const endpoint = endpointId === null ? null : await this.database.transaction(() => this.endpoint(endpointId));
    const custom = endpoint?.headers_sealed
      ? ownJson<Record<string, string>>(this.secrets.open(endpoint.headers_sealed))
      : {};
    const named = Object.entries({ ...custom, ...openedHeaders(call, this.secrets) }).filter(
      ([name]) => !isReservedHeader(name),
    );
    const result = await this.outbound.send({
      method: call.method,
      url: endpoint?.url ?? call.url,
      headers: { ...Object.fromEntries(named), ...this.ours(call, id, attempt, endpoint) },
      ...(call.body === null ? {} : { body: call.body }),
    });
    const { status, durationMs } = result;
    const { arrived, isPermanent } = callAttempt(result);
    if (arrived) return { ok: true, after: { status, duration_ms: durationMs } };
    const error = result.error?.message ?? `The server answered ${status ?? 'nothing'}.`;
    return { ok: false, error, retry: !isPermanent };
  }

  private ours(
    { body, depth, root }: Call,
    id: number,
    attempt: number,
    endpoint: Endpoint | null,
  ): Record<string, string> {
    const message = {
      id: `act_${id}`,
      timestampSeconds: Math.floor(Date.now() / 1_000),
      body: body ?? '',
      secret: endpoint ? this.secrets.open(endpoint.secret_sealed) : '',
    };
    return {
      ...(body === null ? {} : { 'Content-Type': 'application/json; charset=utf-8' }),
      'User-Agent': 'ServiceWebhooks/1.0',
      'X-Service-Event': 'automation.action',
      'X-Service-Delivery': `act_${id}`,
      'X-Service-Attempt': String(attempt),
      // A call that brings these back continues the chain, and so meets the loop guards.
      [CAUSATION_DEPTH]: String(depth),
      ...(root === null ? {} : { [CAUSATION_ROOT]: root }),
      ...(endpoint ? signatureHeaders(message) : {}),
    };
  }

  private async endpoint(id: number): Promise<Endpoint> {
    const table = resourceIfAny('webhooks')?.table;
    const [row] = table
      ? await this.database.query<Endpoint & { is_active: boolean }>(
          `SELECT url, secret_sealed, headers_sealed, is_active FROM ${table} WHERE workspace_id = $1 AND id = $2`,
          [currentWorkspaceId(), id],
        )
      : [];
    if (!row) fail('validation_error', `There is no webhook ${id}.`);
    if (!row.is_active) fail('validation_error', `Webhook ${id} is not active.`);
    return row;
  }
}

/** Values of headers are credentials more often than not. */
function shown({ method, url, endpoint_id, headers, body }: Call): Shown {
  return { method, url, endpoint_id, headers: Object.keys(headers), body };
}

/** JSON with its variables filled in, inside strings only; without a body of its own the call tells what happened. */
function bodyOf(body: WebhookParameters['body'], context: RuleContext): string {
  if (body === undefined) {
    const { type, uid, changes, actor } = context.event;
    return JSON.stringify({
      event: { type, id: uid, changes, actor },
      [context.object]: context.record,
      automation: context.automation.id === null ? null : { id: context.automation.id, name: context.automation.name },
    });
  }
  if (typeof body === 'string') return rendered(body, context, 'json');
  return JSON.stringify(filled(body, context));
}

function filled(value: unknown, context: RuleContext): unknown {
  if (typeof value === 'string') return rendered(value, context);
  if (Array.isArray(value)) return value.map((item) => filled(item, context));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, context)]));
}
