import { ApiError } from '../../errors/api-error';

/** How many streams may be open at once. */
export interface SeatLimits {
  token: number;
  /** Of one workspace; as many as the process has when it is not said. */
  workspace?: number;
  process: number;
}

const headers = { 'Retry-After': '5' };

/** Counts streams, so that no token and no workspace has all of them. */
export class Seats {
  private readonly tokens = new Map<number | string, number>();
  private readonly workspaces = new Map<number, number>();
  private taken = 0;
  private isClosed = false;

  constructor(private readonly limits: SeatLimits) {}

  has(workspaceId: number): boolean {
    return this.workspaces.has(workspaceId);
  }

  /** Gives no more: the process is about to end. */
  close(): void {
    this.isClosed = true;
  }

  /** @param tokenId or whatever tells those apart who have no token. @returns what gives the seat back. @throws ApiError 429 for a token or a workspace that has all of its own, 503 where none is left */
  take(tokenId: number | string, workspaceId: number): () => void {
    const { token, process, workspace = process } = this.limits;
    if (this.isClosed)
      throw new ApiError('service_unavailable', 'The service is being restarted; try again.', { headers });
    if ((this.tokens.get(tokenId) ?? 0) >= token)
      throw new ApiError('rate_limit_exceeded', `A token has at most ${token} streams; end one.`, { headers });
    if ((this.workspaces.get(workspaceId) ?? 0) >= workspace)
      throw new ApiError('rate_limit_exceeded', `A workspace has at most ${workspace} streams; end one.`, { headers });
    if (this.taken >= process)
      throw new ApiError('service_unavailable', 'Too many streams are open; try again.', { headers });
    this.count(tokenId, workspaceId, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.count(tokenId, workspaceId, -1);
      isTaken = false;
    };
  }

  private count(tokenId: number | string, workspaceId: number, by: 1 | -1): void {
    this.taken += by;
    add(this.tokens, tokenId, by);
    add(this.workspaces, workspaceId, by);
  }
}

function add<Id>(counts: Map<Id, number>, id: Id, by: number): void {
  const left = (counts.get(id) ?? 0) + by;
  if (left > 0) counts.set(id, left);
  else counts.delete(id);
}
