import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Meta } from '../http/results';
import { Areas } from './areas';
import type { Duties } from './duties';

/** What a user has in hand: numbers by the names that a refusal gives them, and the same in words. */
export interface InHand {
  counts: Readonly<Record<string, number>>;
  words: string;
}

/** The duties of users in all areas, in the order of the areas. */
@Injectable()
export class AreaDuties implements OnModuleInit {
  private all: readonly Duties[] = [];

  constructor(
    private readonly areas: Areas,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const declared = this.areas.each(({ duties }) => duties);
    this.all = declared.map((each) => this.modules.get(each, { strict: false }));
  }

  /** What the user has in hand; null when nothing. Inside the unit of work that holds the user. */
  async inHandOf(userId: number): Promise<InHand | null> {
    const counts: Record<string, number> = {};
    const words: string[] = [];
    for (const duties of this.all) {
      const n = await duties.countOf(userId);
      if (n === 0) continue;
      counts[duties.counted] = n;
      words.push(`${n} ${duties.words}`);
    }
    return words.length === 0 ? null : { counts, words: words.join(' and ') };
  }

  /** Hands everything over, to a user or to nobody. @throws ApiError 422 on `reassign_to` */
  async handOver(from: number, to: number | null): Promise<Meta> {
    const said: Record<string, unknown> = {};
    for (const duties of this.all) Object.assign(said, await duties.handOver(from, to));
    return said;
  }
}
