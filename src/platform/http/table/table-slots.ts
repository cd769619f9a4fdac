import { ApiError } from '../../errors/api-error';

/** Long tables that one workspace, and all of them together, may be read at once from this process. */
const PER_WORKSPACE = 2;
const IN_ALL = 16;
const RETRY_SECONDS = 10;

/** Bounds how many long tables are under way: each holds no connection, but reads one page after the other. */
export class TableSlots {
  private readonly held = new Map<number, number>();
  private all = 0;

  constructor(
    private readonly perWorkspace = PER_WORKSPACE,
    private readonly inAll = IN_ALL,
  ) {}

  /**
   * Takes a place.
   *
   * @returns gives it back; more than once does nothing
   * @throws ApiError 429 when the workspace has its share, 503 when nobody gets one
   */
  enter(workspaceId: number): () => void {
    const mine = this.held.get(workspaceId) ?? 0;
    const headers = { 'Retry-After': String(RETRY_SECONDS) };
    if (mine >= this.perWorkspace) {
      const message = `${this.perWorkspace} long tables of this workspace are under way; wait for one to end.`;
      throw new ApiError('rate_limit_exceeded', message, { headers });
    }
    if (this.all >= this.inAll)
      throw new ApiError('service_unavailable', 'Too many long tables are under way; try again.', { headers });
    this.held.set(workspaceId, mine + 1);
    this.all++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.all--;
      const left = (this.held.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.held.delete(workspaceId);
      else this.held.set(workspaceId, left);
    };
  }
}
