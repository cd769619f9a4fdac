import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbound } from '../../../platform/outbound/outbound';
import type { OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound-result';
import { buffer } from 'node:stream/consumers';
import { type OutboundAnswer, OutboundFailure } from '../../../platform/outbound/outbound-result';
import { MAX_PHOTO, PhotoTooLarge } from '../photos/photo-reader';
import { SERVICE_PROFILE } from '../../../platform/outbound/profile';
import { isRecord } from '../../../platform/text/json';
import { DirectoryUnreadable } from '../runs/reading';
import type { GraphConfig } from './graph-config';

/** Waiting for a service that is busy, in all; and at most at a time. */
const MAX_WAITED_MS = 600_000;
const MAX_PAUSE_MS = 120_000;
const USUAL_PAUSE_MS = 5_000;
const BUSY: readonly number[] = [429, 503, 504];

/** One page of a delta query. */
export interface DeltaPage {
  values: readonly Record<string, unknown>[];
  /** Where it goes on; null on the last page. */
  next: string | null;
  /** Where the next query begins; null but on the last page. */
  delta: string | null;
}

/** The place of a former query is not known any more: everything is to be read again. */
export class DeltaGone extends Error {
  override readonly name = 'DeltaGone';
}

/**
 * Microsoft Graph, as an application that signs in with its secret (learn.microsoft.com: "Get access without a user", "Use delta query to
 * track changes in Microsoft Graph data", "Microsoft Graph throttling guidance").
 */
export class GraphClient {
  private token: string | null = null;
  private waitedMs = 0;

  constructor(
    private readonly config: GraphConfig,
    private readonly outbound: Outbound,
    private readonly allowed: readonly string[],
  ) {}

  /** The first page of a query; its path is below the version: `/users/delta?…`. */
  begin(path: string): Promise<DeltaPage> {
    return this.page(`${this.config.graph_url.replace(/\/+$/, '')}/v1.0${path}`);
  }

  /**
   * A page by the address that the one before gave, which has to be one of the same server: the token goes along.
   *
   * @throws DirectoryUnreadable, DeltaGone
   */
  async page(address: string): Promise<DeltaPage> {
    const body = await this.get(address);
    const { value } = body;
    if (!Array.isArray(value)) throw unreadable('protocol', 'Microsoft Graph answers something else than a list.');
    const link = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
    const [next, delta] = [link('@odata.nextLink'), link('@odata.deltaLink')];
    for (const each of [next, delta]) if (each !== null) this.requireOwn(each);
    return { values: value.filter(isRecord), next, delta };
  }

  /** The photo of somebody; null where there is none. @throws DirectoryUnreadable, PhotoTooLarge */
  async photo(id: string): Promise<Buffer | null> {
    const url = `${this.config.graph_url.replace(/\/+$/, '')}/v1.0/users/${encodeURIComponent(id)}/photo/$value`;
    for (let isSecond = false; ; isSecond = true) {
      this.token ??= await this.signedIn();
      const headers = { authorization: `Bearer ${this.token}`, accept: 'image/*' };
      const profile = { ...SERVICE_PROFILE, maxBodyBytes: MAX_PHOTO, allowed: this.allowed };
      const {
        status,
        body,
        error,
        headers: said,
      } = await this.outbound.stream({ method: 'GET', url, headers }, profile);
      if (status === 200 && body) return photoFrom(body);
      body?.destroy();
      if (status === 404) return null;
      if (status === 401 && !isSecond) this.token = null;
      else if (status !== null && BUSY.includes(status)) await this.wait(said['retry-after']);
      else if (status === 401 || status === 403)
        throw unreadable(
          'refused',
          'The application may not read photos: it needs User.Read.All, with the consent of an administrator.',
        );
      else
        throw unreadable(
          error?.code ?? 'refused',
          error?.message ?? `Microsoft Graph refuses to answer (${status ?? 'nothing'}).`,
        );
    }
  }

  private async get(address: string): Promise<Record<string, unknown>> {
    this.requireOwn(address);
    for (let isSecond = false; ; isSecond = true) {
      this.token ??= await this.signedIn();
      const headers = {
        authorization: `Bearer ${this.token}`,
        accept: 'application/json',
        prefer: 'odata.maxpagesize=500',
      };
      const { status, body } = await this.send({ method: 'GET', url: address, headers });
      if (status === 401 && !isSecond) {
        // It has ended meanwhile.
        this.token = null;
        continue;
      }
      if (status === 410) throw new DeltaGone();
      if (status === 400 && /syncState|resync|deltatoken/i.test(body ?? '')) throw new DeltaGone();
      if (status === 401 || status === 403)
        throw unreadable(
          'refused',
          'The application may not read people and groups: it needs User.Read.All and GroupMember.Read.All, with the consent of an administrator.',
        );
      if (status !== 200) throw unreadable('refused', `Microsoft Graph refuses to answer (${status}).`);
      return parsed(body);
    }
  }

  private async signedIn(): Promise<string> {
    const { tenant_id, client_id, client_secret, login_url, graph_url } = this.config;
    const { status, body } = await this.send({
      method: 'POST',
      url: `${login_url.replace(/\/+$/, '')}/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        ...{ client_id, client_secret, grant_type: 'client_credentials' },
        scope: `${new URL(graph_url).origin}/.default`,
      }).toString(),
    });
    const answer = parsed(body);
    if (status === 200 && typeof answer.access_token === 'string') return answer.access_token;
    const code = /AADSTS\d{4,8}/.exec(String(answer.error_description))?.[0];
    const why = code === undefined ? `status ${status}` : code;
    throw unreadable(
      'credentials',
      `Entra ID does not let the application in (${why}): check the tenant, the application and its secret.`,
    );
  }

  /** Sends once more what is answered with "later", when it says, or in a while. */
  private async send(request: OutboundRequest): Promise<OutboundResult & { status: number }> {
    for (;;) {
      const result = await this.outbound.send(request, { ...SERVICE_PROFILE, allowed: this.allowed });
      const { status, error, headers } = result;
      if (error !== null || status === null) {
        const { host } = new URL(request.url);
        throw unreadable(error?.code ?? 'unreachable', `${host}: ${error?.message ?? 'it does not answer.'}`);
      }
      if (!BUSY.includes(status)) return { ...result, status };
      await this.wait(headers['retry-after']);
    }
  }

  private async wait(said: string | undefined): Promise<void> {
    const asked = Number(said ?? Number.NaN);
    const pause = Number.isFinite(asked) && asked >= 0 ? asked * 1_000 : USUAL_PAUSE_MS;
    this.waitedMs += Math.max(pause, 1);
    if (pause > MAX_PAUSE_MS || this.waitedMs > MAX_WAITED_MS)
      throw unreadable('busy', 'Microsoft Graph wants fewer requests, for longer than a run waits.');
    await sleep(pause);
  }

  private requireOwn(address: string): void {
    const origin = URL.canParse(address) ? new URL(address).origin : null;
    if (origin !== new URL(this.config.graph_url).origin)
      throw unreadable('protocol', 'Microsoft Graph goes on at another server, which is not followed.');
  }
}

async function photoFrom(body: NonNullable<OutboundAnswer['body']>): Promise<Buffer> {
  try {
    return await buffer(body);
  } catch (error) {
    if (error instanceof OutboundFailure && error.error.code === 'too_large') throw new PhotoTooLarge();
    throw unreadable('unreachable', 'Microsoft Graph broke off in the middle of a photo.');
  }
}

function parsed(body: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body ?? '');
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw unreadable('protocol', 'The answer is no JSON.');
}

const unreadable = (code: string, message: string): DirectoryUnreadable => new DirectoryUnreadable(code, message);
