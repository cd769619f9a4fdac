import type { Provider } from '../../../platform/area/provider';
import type { EntityMapping } from '../mapping/mapping.dto';
import type { ComingFile } from '../run/coming-file';

/** What is asked of a service: the path begins at its origin and has the query. This is a cursor, too: where a page is, says what asks for it. */
export interface ServiceRequest {
  method?: 'GET' | 'POST';
  path: string;
  /** Sent as JSON. */
  body?: Record<string, unknown>;
}

/** Where a file is: at the service itself, or at an address that it gave; and its name, where nobody said it before. */
export type FileAddress = ({ path: string } | { url: string }) & { filename?: string };

/** Settings of a connection, as the class of the source has checked them, secrets included. */
export type Settings = Readonly<Record<string, unknown>>;

/** A record as the service has it, in the words of this one. */
export interface ServiceRecord {
  /** Id there, as text. */
  id: string;
  /** By the names that fields have here; what is null, empty or absent is not said. */
  fields: Readonly<Record<string, unknown>>;
  /** Fields that its people made, by the titles that these have: they become custom ones. */
  titled?: Readonly<Record<string, unknown>>;
  /** Where people read it, where the service says so. */
  url?: string | null;
}

/** A page of records, and what asks for the next one; null = this was the last. */
export interface ServicePage {
  records: ServiceRecord[];
  next: ServiceRequest | null;
  /** How many records there are of the entity, where the answer says so. */
  total?: number | null;
  /** Files of these records, and of others that the answer tells of. */
  files?: ComingFile[];
}

/** Somebody who came in. */
export interface Person {
  email: string;
  name: string | null;
  isAgent: boolean;
}

/** What a source is handed when it reads. */
export interface Reading {
  settings: Settings;
  /** One request more. @returns JSON @throws ServiceTrouble */
  ask: (request: ServiceRequest) => Promise<unknown>;
  /** The same, answered from memory for some minutes: titles of fields, names of states. */
  askOnce: (request: ServiceRequest) => Promise<unknown>;
  /** A link that the service gave as a request. @throws ServiceTrouble where it leads to another origin */
  follow(link: string): ServiceRequest;
  /** Only what changed since, ISO 8601; null = everything. */
  since: string | null;
  /** Of people by their ids there: what those that came in with the migration are called here. */
  people(ids: readonly string[]): Promise<ReadonlyMap<string, Person>>;
  /** Id of the ticket whose records are read, of entities below tickets. */
  ticket: string;
  /** Whether files come, too. */
  withFiles: boolean;
}

/** How the records of one entity are read. */
export interface ServiceEntity {
  /** They are read ticket by ticket, for each that came in. */
  belowTickets?: boolean;
  /** What asks for the first page. */
  first(reading: Reading): Promise<ServiceRequest> | ServiceRequest;
  /** @param answer JSON of `at` */
  read(answer: unknown, at: ServiceRequest, reading: Reading): Promise<ServicePage> | ServicePage;
  /** How many there are, where no page says so; null where nobody knows. */
  count?(reading: Reading): Promise<number | null>;
  /** What values of it are here. */
  values?: EntityMapping['values'];
}

/** A service whose API is read: how it is asked, and what it has. One is a table. */
export interface ServiceSource extends Pick<Provider, 'name' | 'config'> {
  /** Its documentation. */
  docs_url: string;
  /** Who asks. */
  headers(settings: Settings): Record<string, string>;
  /** What is wrong with settings that their class takes; null = nothing. */
  problem?(settings: Settings): { field: string; message: string } | null;
  /** What is asked to see whether somebody is let in; and whether the answer says so. */
  probe: ServiceRequest;
  isLetIn?(answer: unknown): boolean;
  /** Hosts besides its own that its documentation names for files; they are asked without credentials. */
  fileHosts?: RegExp;
  /** Where a file is now; null where it is gone. Asked when its turn comes, because addresses end. */
  locate?(file: ComingFile, reading: Reading): Promise<FileAddress | null> | FileAddress;
  /** By the resource that records become one of. */
  entities: Readonly<Record<string, ServiceEntity>>;
}
