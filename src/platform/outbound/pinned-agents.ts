import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as SecureAgent, type AgentOptions as SecureAgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';

const KEPT_PER_HOST = 8;
const KEPT_IN_ALL = 256;
/** How long an idle connection is kept. */
const KEPT_MS = 5_000;
const settings: AgentOptions = { keepAlive: true, maxFreeSockets: KEPT_PER_HOST, timeout: KEPT_MS, scheduling: 'lifo' };

/** A connection is used again only for the same host on the same addresses. */
export interface Pinned {
  /** The addresses that the name had, in one string. */
  pin: string;
}

/** Keeps a few connections for a few seconds: events come in bursts. Node's global agents are never used. */
export class PinnedAgent extends Agent {
  constructor() {
    super(settings);
  }

  override getName(options?: ClientRequestArgs & Partial<Pinned>): string {
    return `${super.getName(options)}:${options?.pin ?? ''}`;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    return mayKeepMore(this) && keepAlive(super.keepSocketAlive.bind(this), socket);
  }
}

/** The same with TLS; certificates are checked whatever the environment says. */
export class PinnedSecureAgent extends SecureAgent {
  /** @param ca certificates to trust instead of the well-known ones */
  constructor(ca?: SecureAgentOptions['ca']) {
    super({ ...settings, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) });
  }

  override getName(options?: ClientRequestArgs & Partial<Pinned>): string {
    return `${super.getName(options)}:${options?.pin ?? ''}`;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    return mayKeepMore(this) && keepAlive(super.keepSocketAlive.bind(this), socket);
  }
}

/** Many endpoints that answer politely must not cost a file descriptor each. */
function mayKeepMore({ freeSockets }: Agent): boolean {
  const kept = Object.values(freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
  return kept < KEPT_IN_ALL;
}

/** Node answers false when the server said that it closes too soon; its types do not know. */
function keepAlive(keep: (socket: Duplex) => unknown, socket: Duplex): boolean {
  return keep(socket) !== false;
}
