import type { Type } from '@nestjs/common';
import type { FindManyOptions, FindOneOptions, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { currentWorkspaceId } from '../context/current';
import type { Database } from './database';

/** What a search answers: the selected columns, or all of them. */
type Found<E, O> = O extends { select: infer S } ? Pick<E, keyof S & keyof E> : E;

type Where<E> = FindOptionsWhere<E>[] | FindOptionsWhere<E> | undefined;

/**
 * The reading half of TypeORM's `Repository<E>`, for rows of the current workspace: every statement is confined by a condition and
 * by row-level security, and joins the open unit of work; without one it has its own. Rows are plain objects, moments in them
 * ISO 8601. It compiles its SQL anew each time, so measured hot paths keep theirs. There is no writing half: records are changed
 * through a `Store`, which makes versions and events.
 */
export class WorkspaceRepository<E extends ObjectLiteral> {
  constructor(
    private readonly database: Database,
    private readonly entity: Type<E>,
  ) {}

  /** The rows that meet the options; `lock` holds them until the commit. */
  async find<const O extends FindManyOptions<E>>(options: O): Promise<Found<E, O>[]> {
    const rows = await this.run((repository) => repository.find(this.confined(options)));
    return rows.map((row) => plain(row) as Found<E, O>);
  }

  /** The first of them; null when there is none. */
  async findOne<const O extends FindOneOptions<E>>(options: O): Promise<Found<E, O> | null> {
    const row = await this.run((repository) => repository.findOne(this.confined(options)));
    return row && (plain(row) as Found<E, O>);
  }

  findBy(where: Where<E>): Promise<E[]> {
    return this.find({ where });
  }

  findOneBy(where: Where<E>): Promise<E | null> {
    return this.findOne({ where });
  }

  countBy(where: Where<E>): Promise<number> {
    return this.run((repository) => repository.countBy(confinedWhere(where)));
  }

  existsBy(where: Where<E>): Promise<boolean> {
    return this.run((repository) => repository.existsBy(confinedWhere(where)));
  }

  private run<T>(read: (repository: Repository<E>) => Promise<T>): Promise<T> {
    return this.database.transaction(async () => read((await this.database.manager()).getRepository(this.entity)));
  }

  private confined<O extends FindOneOptions<E>>(options: O): O {
    return { ...options, where: confinedWhere(options.where) };
  }
}

/** The condition, or each of several, in the current workspace, whatever it says about workspaces itself. */
function confinedWhere<E>(where: Where<E>): FindOptionsWhere<E>[] {
  const workspace_id = currentWorkspaceId();
  const wanted = Array.isArray(where) ? where : [where ?? {}];
  return wanted.map((condition) => ({ ...condition, workspace_id }) as unknown as FindOptionsWhere<E>);
}

function plain(row: object): object {
  const members = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(members) as object;
}
