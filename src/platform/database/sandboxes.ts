/** Asks as the platform, across workspaces. */
type Ask = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Which workspaces are sandboxes whose clock was moved: those alone have one of their own, which is asked for when one of them is
 * worked for. All others, sandboxes that nobody has moved too, are told apart from them by a look at a set in memory.
 */
export class Sandboxes {
  private readonly ids = new Set<number>();
  private learning: Promise<void> | null = null;
  private again = false;

  constructor(private readonly ask: Ask) {}

  /** Whether there are any. */
  get exist(): boolean {
    return this.ids.size > 0;
  }

  /** The clock of one is about to be moved by this node; others are told by PostgreSQL. */
  add(workspaceId: number): void {
    this.ids.add(workspaceId);
  }

  /** Some may be about to be moved elsewhere. Never rejects: whoever listens to PostgreSQL calls again when it is back. */
  learn(): Promise<void> {
    this.again = true;
    this.learning ??= this.load().finally(() => (this.learning = null));
    return this.learning;
  }

  /**
   * How far the clock of a workspace is ahead of the real one, in ms; at once, and 0, where it was never moved. While others may just
   * be about to be, that has to be heard first.
   */
  aheadMs(workspaceId: number): number | Promise<number> {
    return this.learning || this.ids.has(workspaceId) ? this.clockOf(workspaceId) : 0;
  }

  /** The same of several, by workspace; those whose clock is the real one are left out. */
  async ahead(workspaceIds: readonly number[]): Promise<Map<number, number>> {
    await this.learning;
    const known = [...new Set(workspaceIds)].filter((id) => this.ids.has(id));
    if (known.length === 0) return new Map();
    const rows = await this.ask<{ workspace_id: number; ahead_ms: number }>(
      'SELECT workspace_id, ahead_ms FROM sandboxes WHERE workspace_id = ANY ($1) AND ahead_ms > 0',
      [known],
    );
    return new Map(rows.map(({ workspace_id, ahead_ms }) => [workspace_id, ahead_ms]));
  }

  /** What time it is in each of these workspaces, for work across them. */
  async clocks(workspaceIds: readonly number[]): Promise<(workspaceId: number) => Date> {
    const ahead = await this.ahead(workspaceIds);
    const realMs = Date.now();
    return (workspaceId) => new Date(realMs + (ahead.get(workspaceId) ?? 0));
  }

  private async clockOf(workspaceId: number): Promise<number> {
    return (await this.ahead([workspaceId])).get(workspaceId) ?? 0;
  }

  private async load(): Promise<void> {
    while (this.again) {
      this.again = false;
      const rows = await this.ask<{ workspace_id: number }>(
        'SELECT workspace_id FROM sandboxes WHERE has_moved',
        [],
      ).catch(() => []);
      for (const { workspace_id } of rows) this.ids.add(workspace_id);
    }
  }
}
