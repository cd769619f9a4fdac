import { Injectable } from '@nestjs/common';
import { resourceIfAny } from './resource';

/**
 * What else goes with a record that another one takes in, besides that whatever names it names the other: called inside the unit
 * of work, both records held, while everything still names the one that goes.
 */
export type MergeFollower = (from: number, into: number) => Promise<void>;

/** Who has something to do when records of a resource are merged. */
@Injectable()
export class MergeFollowers {
  private readonly followers = new Map<string, MergeFollower[]>();

  /**
   * Adds a follower; call it in `onModuleInit`.
   *
   * @param name of the resource; nothing happens while its area is not installed
   */
  on(name: string, follower: MergeFollower): void {
    if (!resourceIfAny(name)) return;
    this.followers.set(name, [...(this.followers.get(name) ?? []), follower]);
  }

  /** Asks all of them, in order of registration. */
  async follow(name: string, from: number, into: number): Promise<void> {
    for (const follower of this.followers.get(name) ?? []) await follower(from, into);
  }
}
