import { Injectable, type Type } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { columnsOf } from '../columns/column-spec';
import type { Changes } from '../events/event-rows';
import type { Resource } from './resource';

/** Who is told of records that come from another system: nobody, or whoever hears of creations, with `related.imported`. */
export type Told = 'none' | 'marked';

/** What a record of another system says, checked against `body` of its takeover. */
export type TakenValues = Record<string, unknown>;

/** A record that came about with others. */
export interface Beside {
  resource: string;
  id: number;
  /** What it is known by: the address of a contact. */
  key: string;
}

/** A record that came in, and the version that it was left at. */
export interface Left {
  id: number;
  version: number;
}

/** A record that is here, for whoever looks whether its source has changed it. */
export interface Standing {
  version: number;
  /** What its columns say, private ones included. */
  row: Readonly<Record<string, unknown>>;
  /** Why no source changes it any more: it was merged, its person was erased. Null = any may. */
  stays: string | null;
}

/** What a source says anew of a record that is here: columns, and what is to become of them. */
export interface Revision {
  id: number;
  values: TakenValues;
}

/** A record as a revision has left it, with from and to of every stored column that is another now. */
export interface Revised extends Left {
  changes: Changes;
}

/** A record whose columns were put back: its version before and now, and the names of columns that somebody has changed since. */
export interface PutBack extends Left {
  before: number;
  kept: string[];
}

/** What is said of a record instead of a list that the source has in the column `by`. */
export interface Narrowed {
  by: string;
  values: TakenValues;
}

/** Records that were stored. */
export interface TakenOver {
  /** In the order of what was handed in. */
  ids: number[];
  beside?: readonly Beside[];
  /** What is to be said of each, in the same order; nothing of those that came in as they are. */
  warnings?: readonly (readonly string[])[];
}

/** What a record says of another one that is known by its name within a third alone. */
export interface NameWithin {
  name: string;
  /** Id here of the record within which it is looked for; null where nothing is said of that. */
  within: number | null;
}

/** References whose names are those of one other record: a stage is called so in its pipeline. */
export interface Nested {
  /** Of the stage: `stages`. */
  resource: string;
  /** The field beside it that names the other record: `pipeline_id`. */
  within: string;
  /** Their ids, in the order of the names; undefined where there is none. Inside the unit of work. */
  idsOf: (names: readonly NameWithin[]) => Promise<(number | undefined)[]>;
}

/**
 * How records of a resource come in from another system, with the moments and authors that they had there. The area of the
 * resource says so; whoever moves records (migration) asks for it by the name of the resource.
 */
export interface Takeover {
  readonly resource: Resource;
  /** What is named comes before what names it: 10 companies, 20 users, 30 contacts, 40 categories, 60 tickets, 70 comments, 80 articles, 90 assets, 100 leads, 110 deals. */
  readonly place: number;
  /** What a record may say: {@link takenBody}. */
  readonly body: Type<object>;
  /** References without which there is no record, though no body can ask for them. */
  readonly needs: readonly string[];
  /** Columns that tell whether a record is there already, besides `external_id`: `email`, `name`. */
  readonly keys: readonly string[];
  /** Of records that people call by codes: their ids, by codes as they are asked for. Inside the unit of work. */
  idsOfCodes?(codes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Columns by which other records name it besides; they do not tell whether it is there already. */
  readonly names?: readonly string[];
  /** References that are found within another record. */
  readonly nested?: readonly Nested[];
  /** A list of records that narrows who sees a record. None comes in, so whatever has one in the source takes these values instead. */
  readonly narrowed?: Narrowed | undefined;
  /** Fills in what follows from the rest, before the record is checked. */
  prepare?(values: TakenValues): void;
  /** Stores checked records, some hundreds at a time. Inside the unit of work. @throws ApiError 422; nothing is stored then */
  store(records: readonly TakenValues[], told: Told): Promise<TakenOver>;
  /** Fields that a source says once, when the record comes in: no revision changes them. */
  readonly fixed: readonly string[];
  /** The record as it stands, or null. Inside the unit of work. @param isHeld until the end of it */
  standing(id: number, isHeld: boolean): Promise<Standing | null>;
  /** Changes records that are here; those that are gone are left out. Inside the unit of work. @throws ApiError 422; nothing is changed then */
  revise(revisions: readonly Revision[], told: Told): Promise<Revised[]>;
  /** Puts columns back that still are what a revision made of them; null for a record that is gone. Inside the unit of work. */
  putBack(id: number, changes: Changes, told: Told): Promise<PutBack | null>;
  /** Takes back what was stored and nobody has changed since; the ids that are gone. Inside the unit of work. */
  takeBack(taken: readonly Left[]): Promise<number[]>;
  /** What is to go once all records of a job were taken back that can be. Inside the unit of work. */
  cleared?(): Promise<void>;
}

/** The takeovers of all areas, by resource. */
@Injectable()
export class Takeovers {
  private readonly known = new Map<string, Takeover>();

  /** Called in `onModuleInit`. */
  register(takeover: Takeover): void {
    this.known.set(takeover.resource.name, takeover);
  }

  /** In order of dependency. */
  all(): Takeover[] {
    return [...this.known.values()].sort((left, right) => left.place - right.place);
  }

  of(name: string): Takeover | undefined {
    return this.known.get(name);
  }
}

/**
 * The class of what a record of another system may say: what a body may, and its moments.
 *
 * @param more read-only columns besides
 */
export function takenBody(entity: Type<object>, more: readonly string[] = []): Type<object> {
  const further = new Set(['created_at', 'updated_at', ...more]);
  const names = columnsOf(entity).flatMap(({ name, kind, readOnly }) =>
    kind !== 'computed' && (!readOnly || further.has(name)) ? [name] : [],
  );
  return PickType(entity, names as never[]);
}
