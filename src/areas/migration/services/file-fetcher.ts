import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { retryAfterSeconds } from '../../../platform/delivery/retries';
import { Outbound } from '../../../platform/outbound/outbound';
import type { OutboundAnswer } from '../../../platform/outbound/outbound-result';
import { IMPORT_PROFILE, type OutboundProfile } from '../../../platform/outbound/profile';
import type { OpenService } from './service-client';
import { baseOf } from './service-credentials';
import type { FileAddress } from './service-source';
import { ServiceTrouble } from './service-trouble';

/** Addresses that one leads to the next of. */
const MAX_HOPS = 4;
/** For a file, whatever it has: below what a job is leased for. */
const FILE_MS = 240_000;
const LONGEST = 8_192;

/** A file cannot be had; the rest of them may. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble';

  /** @param isPassing it may be there another time */
  constructor(
    readonly code: string,
    message: string,
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}

/**
 * Fetches files of services by the one client with its address rules. What lets us in goes to the origin of the connection alone; other
 * hosts are asked only where the documentation of the service names them, and without a word of who asks.
 */
@Injectable()
export class FileFetcher {
  private readonly profile: OutboundProfile;

  constructor(
    private readonly outbound: Outbound,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'migrationAllowCidrs' | 'files'>,
  ) {
    const maxBodyBytes = config.files.maxBytes + 1;
    this.profile = { ...IMPORT_PROFILE, timeoutMs: FILE_MS, maxBodyBytes, allowed: config.migrationAllowCidrs };
  }

  /** The file as it comes; the stream fails with `OutboundFailure`. @throws FileTrouble, ServiceTrouble */
  async open(service: OpenService, address: FileAddress): Promise<Readable> {
    const { source, settings } = service;
    const origin = new URL(baseOf(settings)).origin;
    let url = 'path' in address ? `${origin}${address.path}` : address.url;
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const at = this.allowed(service, url, origin);
      const headers = at.origin === origin ? source.headers(settings) : {};
      const answer = await this.outbound.stream({ method: 'GET', url: at.href, headers }, this.profile);
      const next = movedTo(answer, at);
      if (next === null) return bodyOf(source.name, answer, at.origin === origin);
      answer.body?.destroy();
      url = next;
    }
    throw new FileTrouble('moved', 'Its address leads on and on.', false);
  }

  private allowed({ source }: OpenService, text: string, origin: string): URL {
    const url = text.length <= LONGEST && URL.canParse(text) ? new URL(text) : null;
    if (!url) throw new FileTrouble('address', `${source.name} names no address of it.`, false);
    if (url.origin === origin) return url;
    const isNamed =
      url.protocol === 'https:' && url.port === '' && url.username === '' && source.fileHosts?.test(url.hostname);
    if (isNamed) return url;
    throw new FileTrouble('host', `It is at ${url.host.slice(0, 100)}, where ${source.name} keeps no files.`, false);
  }
}

function movedTo({ status, headers }: OutboundAnswer, at: URL): string | null {
  const { location } = headers;
  if (status === null || status < 300 || status >= 400 || location === undefined) return null;
  return URL.canParse(location, at) ? new URL(location, at).href : null;
}

/** @param isOwn the service itself answers */
function bodyOf(name: string, { status, headers, body, error }: OutboundAnswer, isOwn: boolean): Readable {
  if (status !== null && status >= 200 && status < 300 && body) return body;
  body?.destroy();
  if (status === 429 || status === 503) {
    const asked = retryAfterSeconds(headers['retry-after'], new Date());
    throw new ServiceTrouble('busy', `${name} asks for a pause (${status}).`, status, asked);
  }
  if (status === 401 && isOwn)
    throw new ServiceTrouble('credentials', `${name} lets nobody in with these credentials (401).`, status);
  if (status === null || status >= 500 || status === 408)
    throw new FileTrouble('unreachable', error?.message ?? `It is not answered (${status ?? 'nothing'}).`, true);
  throw new FileTrouble('refused', `${name} does not give it (${status}).`, false);
}
