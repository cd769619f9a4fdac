import type { Meta } from '../http/results';

/**
 * What an area leaves in the hands of users, and what becomes of it when one of them leaves; inside the unit of work that holds the user. Where
 * nobody takes over by name (`reassign_to=team`, a directory), the area shares it out itself when it hears `user.deactivated`, or `user.deleted` once more.
 */
export interface Duties {
  /** What a refusal calls their number, e.g. `open_tickets`. */
  readonly counted: string;
  /** The same in words, e.g. `open tickets`. */
  readonly words: string;
  /** How many the user has. */
  countOf(userId: number): Promise<number>;
  /**
   * Gives all of them to another user, or to nobody; answers what `meta` says of it.
   *
   * @throws ApiError 422 on `reassign_to`
   */
  handOver(from: number, to: number | null): Promise<Meta>;
}
