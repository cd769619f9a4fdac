import { randomBytes } from 'node:crypto';
import type { ColumnSpec } from '../../../src/platform/columns/column-spec';
import { readOnlyFieldsOf } from '../../../src/platform/columns/bodies';
import { allResources, type Resource } from '../../../src/platform/resource/resource';
import type { Answer, Api, Fields } from '../api';
import type { TestApp } from '../app';
import { eventsOf, type LoggedEvent } from '../event-log';
import type { Sql } from '../sql';
import type { TestWorkspace } from '../workspace';

/** Ids of records that bodies and the path refer to. */
export type Made = Readonly<Record<string, number>>;

/** What a resource promises beyond its declaration in the registry. */
export interface ResourceContract {
  resource: Resource;
  /** Below /v1. */
  path: (made: Made) => string;
  /** Classes of the bodies of POST and PATCH. */
  bodies: { create: object; update: object };
  /** A valid body, another one for each serial number; varied, so that sorts and filters have something to tell apart. */
  create: (serial: number, made: Made) => Record<string, unknown>;
  /** A valid change of any record that `create` makes, likewise. */
  update: (serial: number, made: Made) => Record<string, unknown>;
  required: readonly string[];
  /** Values that POST and PATCH must refuse, by field. */
  invalid: Readonly<Record<string, readonly unknown[]>>;
  /** For each filter whose name is no column: a text, and which records it must find. */
  filters?: (
    all: readonly Fields[],
    made: Made,
  ) => Readonly<Record<string, { text: string; test: (row: Fields) => boolean }>>;
  /** Makes what the records refer to. */
  prepare?: (api: Api) => Promise<Made>;
  /** Sets by SQL what no request sets, in the records that lists are tested with. */
  arrange?: (sql: Sql, workspaceId: number) => Promise<unknown>;
  /** Names of the events, where they are not `<singular>.created` and so on. */
  events?: { created?: string; updated?: string; deleted?: string };
  /** The record whose events they are, where that is another one. */
  eventsOf?: (made: Made) => { object: string; id: number };
  /** The record stays after a DELETE, with these values. */
  afterDelete?: Readonly<Record<string, unknown>>;
}

/** A workspace with what the contract needs in it. */
export interface Place extends TestWorkspace {
  made: Made;
  path: string;
}

/** What the tests of a contract share; complete once the tests run. */
export interface Subject {
  contract: ResourceContract;
  server: TestApp;
  sql: Sql;
  /** Where the tests write; lists are tried first, as long as nothing else does. */
  home: Place;
  /** Another workspace, with a record of the resource in it. */
  foreign: Place;
  foreignRecord: Fields;
}

const FIRST_SERIAL = 100;
let last = FIRST_SERIAL;

/** Begins anew, so that what a contract makes does not depend on which others a worker ran before. */
export function restartSerials(): void {
  last = FIRST_SERIAL;
}

/** Another number each time: the serial of a record. */
export function nextSerial(): number {
  return ++last;
}

/** Creates a record; what was answered. */
export async function create({ contract, home }: Subject, overrides: Record<string, unknown> = {}): Promise<Answer> {
  const body = { ...contract.create(nextSerial(), home.made), ...overrides };
  return (await home.api.post(home.path, body)).expect(201);
}

/** Creates a record and answers it. */
export async function createOne(subject: Subject, overrides: Record<string, unknown> = {}): Promise<Fields> {
  return (await create(subject, overrides)).data;
}

/**
 * Some of the values, for what every resource leaves to the same code: each has others, and together they have all several
 * times over.
 */
export function dealt<T>({ resource }: ResourceContract, values: readonly T[], few: number): T[] {
  const turn = allResources()
    .map(({ name }) => name)
    .sort()
    .indexOf(resource.name);
  return values.map((_, index) => values[(turn * few + index) % values.length] as T).slice(0, few);
}

/** Columns that a body may set. */
export function writable(contract: ResourceContract, body: 'create' | 'update'): ColumnSpec[] {
  const readOnly = readOnlyFieldsOf(contract.bodies[body]);
  return contract.resource.columns.filter((column) => !readOnly.has(column.name));
}

/** A text that nothing else contains. */
export function unique(): string {
  return randomBytes(8).toString('hex');
}

/** `text` with what differs from call to call taken out: the request id, and the id asked for; which may be 404. */
export function comparable(text: string, id: number): string {
  return text
    .replaceAll(/"request_id":"[^"]+"/g, '"request_id":"…"')
    .replaceAll(new RegExp(`(?<!"status":)\\b${id}\\b`, 'g'), '<id>');
}

export const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** An id that no workspace has. */
export const NOWHERE = 8_999_999_999_999;

/** The event rows of a record, or of the record that has them instead. */
export function eventsAbout({ contract, server, home }: Subject, id: number): Promise<LoggedEvent[]> {
  const about = contract.eventsOf?.(home.made) ?? { object: contract.resource.singular, id };
  return eventsOf(server, home, about.object, about.id);
}

/** The type of the event of a change. */
export function eventType({ events, resource }: ResourceContract, verb: 'created' | 'updated' | 'deleted'): string {
  return events?.[verb] ?? `${resource.singular}.${verb}`;
}
