import type { ResourceEntity } from './resource-entity';

declare const computed: unique symbol;

/** Type of a property that no column stores (`@ComputedColumn`): it is shown, but in no row and in no value. */
export type Computed<T> = T extends null ? null : T & { readonly [computed]?: never };

/** Names of the stored columns of an entity, private ones included. */
export type StoredKey<E> = {
  [Name in keyof E]-?: typeof computed extends keyof NonNullable<E[Name]> ? never : Name;
}[keyof E] &
  string;

/** A stored record as the database has it: public and private columns, timestamps in ISO 8601 with milliseconds and `Z`. */
export type Row<E = ResourceEntity> = Readonly<Pick<E, StoredKey<E>>> & {
  readonly id: number;
  readonly version: number;
};

/** Values by column, private ones included: of a new record before its defaults, or those that a change gives. */
export type Values<E = ResourceEntity> = Partial<Pick<E, StoredKey<E>>>;

/** One of the values of an enum column: `status: OneOf<typeof ticketStatuses>`. */
export type OneOf<Values extends readonly string[]> = Values[number];
