import type { EventDraft, Related } from '../events/event-rows';
import { type Meta, SingleResult } from '../http/results';
import type { ResourceEntity } from './resource-entity';
import type { Values } from './rows';
import type { Alongside } from './write-plan';

/** An event with the records that belong to it. */
export interface ToldWith {
  type: string;
  related: Related;
}

/** An event of a change: its type, with the records that belong to it where there are any. */
export type Told = string | ToldWith;

/** The same events with further records; those that one has of its own come first. */
export function withRelated(events: readonly Told[], related: Related): Told[] {
  return events.map((told) =>
    typeof told === 'string' ? { type: told, related } : { ...told, related: { ...related, ...told.related } },
  );
}

/** The event of a change from and to. */
export function draftOf(told: Told, changes: EventDraft['changes']): EventDraft {
  return typeof told === 'string' ? { type: told, changes } : { ...told, changes };
}

/** What is to become of a locked record. */
export interface Change<E extends ResourceEntity = ResourceEntity> {
  /** The columns that are given; those that are as they were are left out. */
  values: Values<E>;
  /** What is told of it, in order; `<singular>.updated` unless given. */
  events?: readonly Told[];
  /** Its events stand in the log (history, audit), and nobody is told: for what was brought along from elsewhere. */
  quiet?: boolean;
  /** Write and tell even when no value differs. */
  always?: boolean;
  /** Rows of other tables, written in the statement of the change. */
  rows?: Alongside;
  /** What the answer's `meta` says of the change; JSON values. */
  meta?: Meta;
}

/** What a creation does besides storing its values: `events` come after `<singular>.created`. */
export type Creation = Pick<Change, 'events' | 'rows' | 'meta'> & {
  /** Records that belong to all its events. */
  related?: Related;
};

/** A written record: its JSON as GET shows it. */
export interface Written {
  id: number;
  version: number;
  json: string;
  /** See `Change`. */
  meta?: Meta;
}

/** The same with what the answer's `meta` says. */
export function withMeta(written: Written, meta: Meta | undefined): Written {
  return meta ? { ...written, meta } : written;
}

/** The same of an answer. */
export function answerWithMeta(shown: SingleResult, meta: Meta | undefined): SingleResult {
  return meta ? new SingleResult(shown.json, shown.etag, shown.status, { ...shown.meta, ...meta }) : shown;
}
