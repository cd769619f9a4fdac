import type { Person } from '../engine/objects';

/** Most bytes of a photo: what Microsoft Graph has at most. */
export const MAX_PHOTO = 4 * 1_048_576;

/** Whose photo it is, as the directory knows them. */
export type Photographed = Pick<Person, 'guid' | 'distinguished_name'>;

/** Where photos come from, one at a time. */
export interface PhotoReader {
  /**
   * The photo as the directory has it; null where there is none, `unsaid` where it says nothing of it.
   *
   * @throws DirectoryUnreadable; PhotoTooLarge; PhotoUnreadable
   */
  of(person: Photographed): Promise<Buffer | null | 'unsaid'>;
  end(): Promise<void>;
}

/** More bytes than a photo has. */
export class PhotoTooLarge extends Error {
  override readonly name = 'PhotoTooLarge';
}

/** The photo of one person cannot be had; everything stays as it is. */
export class PhotoUnreadable extends Error {
  override readonly name = 'PhotoUnreadable';

  constructor(readonly problem: 'unreachable' | 'no_picture') {
    super(problem);
  }
}
