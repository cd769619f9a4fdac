import type { EventDraft, Related } from '../events/event-rows';
import type { Meta } from '../http/results';
import type { Alongside, Values } from './write-plan';

/** A stored record as the database has it: public and private columns; timestamps as text. */
export type Row = Record<string, unknown> & { id: number; version: number };

/** What an update does besides storing `values`. */
export interface Change {
  values: Values;
  /** Event types besides `<singular>.updated`, in order. */
  events?: string[];
  /** Leave out `<singular>.updated` (only where the product says so). */
  silent?: boolean;
  /** Write and announce even when no value differs. */
  always?: boolean;
  related?: Related;
  /** Events with related records of their own, after `events`. */
  more?: readonly Omit<EventDraft, 'changes'>[];
  /** Rows of other tables, written in the statement of the change. */
  alongside?: Alongside;
  /** What the answer's `meta` says of the change; JSON values. */
  meta?: Meta;
}

/** What a creation does besides storing its values; `related` belongs to all its events. */
export type Creation = Pick<Change, 'events' | 'alongside' | 'related' | 'meta'>;

/** A written record: its JSON as GET shows it. */
export interface Written {
  id: number;
  version: number;
  json: string;
  /** See `Change`. */
  meta?: Meta;
}
