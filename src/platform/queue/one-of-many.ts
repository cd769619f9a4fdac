import type { Logger } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { isTransient } from '../database/database-errors';

/** A piece of a job: what it is about and what is done with it, for the log. */
interface Piece {
  /** E.g. `Ticket`. */
  record: string;
  id: number;
  /** E.g. `handed over`. */
  done: string;
}

/**
 * Does one of the many pieces of a job; one that cannot be done is logged and keeps no other waiting.
 *
 * @returns whether it was done
 * @throws what may pass by itself (`isTransient`): the job is to be tried again
 */
export async function oneOfMany(
  { record, id, done }: Piece,
  logger: Logger,
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isTransient(error)) throw error;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    logger.error(`${record} ${currentWorkspaceId()}/${id} cannot be ${done}: ${message}`, stack);
    return false;
  }
}
