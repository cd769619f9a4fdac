import type { Person } from '../engine/objects';

/** Most bytes of a photo: what Microsoft Graph has at most. */
export const MAX_PHOTO = 4 * 1_048_576;

/** Whose photo it is, as the directory knows them. */
export type Photographed = Pick<Person, 'guid' | 'distinguished_name'>;

/** Where photos come from, one at a time. */
export interface PhotoReader {
  /** The photo as the directory has it; null where there is none. @throws DirectoryUnreadable; `PhotoTooLarge` */
  of(person: Photographed): Promise<Buffer | null>;
  end(): Promise<void>;
}

/** More bytes than a photo has. */
export class PhotoTooLarge extends Error {
  override readonly name = 'PhotoTooLarge';
}
