let cleanUp: (() => Promise<void>) | null = null;

/** Remembers how to take down what the setup of this run brought up. */
export function keepForTeardown(action: () => Promise<void>): void {
  cleanUp = action;
}

export async function tearDown(): Promise<void> {
  await cleanUp?.();
  cleanUp = null;
}
