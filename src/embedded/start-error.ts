import { isNativeError } from 'node:util/types';

/** Something outside the program keeps it from starting. The message is one sentence that says what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What the operating system calls a failed call: `EACCES`, `EADDRINUSE`, …; undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  // Not `instanceof`: that is false for errors of another realm, such as Node's own under Jest.
  if (!isNativeError(error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The first line of an error's message, for the middle of a sentence. */
export function reasonOf(error: unknown): string {
  const message = isNativeError(error) ? error.message : String(error);
  return (message.split('\n')[0] ?? '').replace(/\.$/, '');
}
