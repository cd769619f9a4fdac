import { Injectable } from '@nestjs/common';
import type { Person } from './person';
import type { Place, Step } from './sweeper';

/** Erases what only the program can read: sealed columns, files. */
export interface Keeper {
  /** The table, or what else it is called. */
  readonly name: string;
  /** Some of it, as the platform, in the transaction of the caller; may be done again. */
  step(person: Person, from: Place): Promise<Step>;
}

/** Whoever keeps something of people that the inventory cannot describe; they register in `onModuleInit`. */
@Injectable()
export class Keepers {
  private readonly keepers = new Map<string, Keeper>();
  private readonly wholes: (() => Promise<void>)[] = [];

  /** @throws Error when there is one of that name */
  register(keeper: Keeper): void {
    if (this.keepers.has(keeper.name)) throw new Error(`There are two keepers of "${keeper.name}".`);
    this.keepers.set(keeper.name, keeper);
  }

  /**
   * Says what becomes of what was made of a workspace as a whole and cannot be rewritten. It is done in the workspace, in the unit of work
   * that ends an erasure.
   */
  registerWhole(remake: () => Promise<void>): void {
    this.wholes.push(remake);
  }

  async remakeWholes(): Promise<void> {
    for (const remake of this.wholes) await remake();
  }

  get all(): Keeper[] {
    return [...this.keepers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
