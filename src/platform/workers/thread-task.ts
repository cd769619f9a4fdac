import { compiledFile } from './compiled-file';
import type { PoolName } from './pool-settings';

/** A function that runs in a thread: where it is, and in which pool. Made by `threadTask`. */
export interface ThreadTask<Input, Output> {
  readonly pool: PoolName;
  /** The compiled module that exports it. */
  readonly file: string;
  /** The name it is exported by. */
  readonly name: string;
  /** Never there; carries the types. */
  readonly types?: (input: Input) => Output;
}

/**
 * Declares an exported function as one that runs in a thread. What it takes and answers is copied between threads, so
 * it must be plain data; the function must not need the application, its configuration or its connections.
 *
 * @param module absolute path of its module, without the ending
 * @example threadTask<typeof quotePdf>('documents', join(__dirname, 'quote-pdf'), 'quotePdf')
 */
export function threadTask<Task extends (input: never) => unknown>(
  pool: PoolName,
  module: string,
  name: string,
): ThreadTask<Parameters<Task>[0], Awaited<ReturnType<Task>>> {
  return { pool, file: compiledFile(module), name };
}
