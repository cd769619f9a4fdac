/** Something outside the program keeps it from starting. The message is one sentence that says what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What the operating system calls a failed call: `EACCES`, `EADDRINUSE`, …; undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The first line of an error's message, for the middle of a sentence. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replace(/\.$/, '');
}
