import type { SCANS } from '../attachment.entity';
import type { OneOf } from '../../../platform/resource/rows';

/** What its sender says of a file. */
export interface ToldFile {
  filename: string | null;
  /** Media type, maybe with parameters. */
  type: string | null;
}

/** A file that is in the store, and that no row tells of yet. */
export interface ArrivedFile {
  storage_key: string;
  filename: string;
  content_type: string;
  declared_type: string | null;
  size: number;
  sha256: string;
  scan: OneOf<typeof SCANS>;
}
