import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { personalTables } from './inventory';
import { Keepers } from './keepers';
import type { Person } from './person';
import { type Place, type Step, Sweeper } from './sweeper';
import { REMEMBER } from './sweep-sql';
import { shapeOf, type TableShape } from './table-shape';

/** How far an erasure is. JSON. */
export interface Progress {
  /** From 1. Everything is looked through until once nothing is found. */
  pass: number;
  /** The stage that is next, from 0. */
  stage: number;
  place: Place;
  /** Rows that this pass changed. */
  changed: number;
}

export const BEGINNING: Progress = { pass: 1, stage: 0, place: null, changed: 0 };

/** Lets triggers that keep a log as it was written know that this may be. */
const ERASING = `SELECT set_config('app.workspace_id', $1, true), set_config('app.erasing', 'on', true)`;

/** Erases a person from everything that the inventory names, table by table, in steps of one transaction each. */
@Injectable()
export class Eraser {
  private readonly shapes = new Map<string, TableShape>();

  constructor(
    private readonly database: Database,
    private readonly sweeper: Sweeper,
    private readonly keepers: Keepers,
  ) {}

  /** What a pass goes through. */
  get stages(): string[] {
    const tables = personalTables().filter(
      ({ texts = [], own, erase, words }) => texts.length > 0 || own || erase || words,
    );
    return [...tables.map(({ table }) => table), ...this.keepers.all.map(({ name }) => `${name} (sealed)`)];
  }

  /** One step; inside `Database.system()`. */
  async step(person: Person, { stage, place }: Progress): Promise<Step> {
    await this.database.query(ERASING, [String(person.workspaceId)]);
    const name = this.stages[stage];
    const keeper = this.keepers.all.find((each) => `${each.name} (sealed)` === name);
    if (keeper) return keeper.step(person, place);
    const shape = name === undefined ? null : await this.shape(name);
    return shape ? this.sweeper.step(shape, person, place) : { place: null, changed: 0, own: 0, names: [] };
  }

  private async shape(name: string): Promise<TableShape | null> {
    const table = personalTables().find((each) => each.table === name);
    if (!table) return null;
    const shape = this.shapes.get(name) ?? (await shapeOf(this.database, table));
    this.shapes.set(name, shape);
    return shape;
  }

  /** Notes records as the person's, e.g. those that are no longer there; inside a unit of work. */
  async remember(workspaceId: number, erasureId: number, object: string, ids: readonly number[]): Promise<void> {
    await this.database.run([{ text: REMEMBER, values: [workspaceId, erasureId, object, ids] }]);
  }

  /** Ends an erasure: what cannot be rewritten goes, and nothing tells any more which records were the person's. Inside a unit of work. */
  async finish(workspaceId: number, erasureId: number): Promise<void> {
    await this.keepers.remakeWholes();
    const text = `DELETE FROM erased_records WHERE workspace_id = $1 AND erasure_id = $2`;
    await this.database.run([{ text, values: [workspaceId, erasureId] }]);
  }
}

/** Where it goes on after a step; the stage past the last one is the end of the pass. */
export function advanced(progress: Progress, { place, changed }: Step): Progress {
  const { stage } = progress;
  return { ...progress, stage: place === null ? stage + 1 : stage, place, changed: progress.changed + changed };
}
