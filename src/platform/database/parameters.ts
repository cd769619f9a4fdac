/** Collects the parameters of a statement; `$1` is always the workspace. */
export class Parameters {
  readonly values: unknown[];

  constructor(workspaceId: number) {
    this.values = [workspaceId];
  }

  /** Adds a value and returns its placeholder. */
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}
