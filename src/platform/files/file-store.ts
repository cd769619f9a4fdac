import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file as a store lists it. */
export interface StoredFile {
  key: string;
  /** When it was put there. */
  at: Date;
}

/** What a download is to say of itself, where the store answers it. */
export interface ServedAs {
  type: string;
  disposition: string;
}

/** A file that should be there is not. */
export class FileGone extends Error {
  override readonly name = 'FileGone';
}

/**
 * Where files are kept, whatever it is made of. Keys are `<workspace>/<2 digits>/<name>` of letters, digits, `-`, `.` and `_`
 * (`newKey`); a file is there as a whole or not at all, and never changes.
 */
export abstract class FileStore {
  /** Takes a file in piece by piece. Where the source fails, this fails likewise and nothing is left. */
  abstract put(key: string, source: Readable, type: string): Promise<void>;

  /** @throws FileGone */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;

  /** Those that are not there are passed over. */
  abstract remove(keys: readonly string[]): Promise<void>;

  /** In the order of their keys' bytes. @param after the last one known; null = from the first */
  abstract list(after: string | null, limit: number): Promise<StoredFile[]>;

  /** An address that answers the file for a minute to whoever has it; null where downloads pass through the service. */
  abstract address(key: string, as: ServedAs): Promise<string | null>;
}

/** The same for archives that are made here and go again: a place of its own, in which nobody looks for files of records. */
export abstract class ArchiveStore extends FileStore {}

/** The same for files that records are read from and that go when that is done. */
export abstract class InboxStore extends FileStore {}
