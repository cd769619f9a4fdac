import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:net';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';

/** Addresses that mean every interface: from this machine it is reached under these. */
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where this service is reached, by its configuration alone: nothing that a request says of itself can change it. */
@Injectable()
export class ServiceAddress {
  constructor(
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'publicUrl' | 'host' | 'port'>,
    @Inject(HttpAdapterHost) private readonly adapter: HttpAdapterHost,
  ) {}

  /** PUBLIC_URL, else the address it listens on, as printed at the start: `http://127.0.0.1:3000`. */
  base(): string {
    const { publicUrl, host, port } = this.config;
    if (publicUrl !== null) return publicUrl;
    const name = EVERYWHERE[host] ?? host;
    return `http://${name.includes(':') ? `[${name}]` : name}:${this.port() ?? port}`;
  }

  /** The port that was taken where any free one was asked for; null in a process that does not listen. */
  private port(): number | null {
    const address = (this.adapter.httpAdapter.getHttpServer() as Server | undefined)?.address() ?? null;
    return typeof address === 'object' ? (address?.port ?? null) : null;
  }
}
