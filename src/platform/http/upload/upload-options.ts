/** The media type of forms with files. */
export const FORM = 'multipart/form-data';

/** What the body of a route may be that takes more than JSON. */
export interface UploadOptions {
  /** Bytes of the whole body. */
  maxBytes: number;
  /** Media types: `multipart/form-data`, and those of a body that is one file: `text/csv`, `image/*`, or any. */
  types: readonly string[];
  /** Longest time for the body, in seconds; 5 minutes unless given. Who is silent for 10 seconds is given up anyway. */
  withinSeconds?: number;
  /** Files of a form; one unless given. */
  maxFiles?: number;
  /** Other fields of a form; 20 unless given. */
  maxFields?: number;
  /** Bytes of one of those; 64 KiB unless given. */
  maxFieldBytes?: number;
  /** JSON schemas of the members of a form, for the document; unless given it is `file`, the file. */
  form?: Readonly<Record<string, object>>;
}

/** The same with everything decided, as routes carry it (`request.routeOptions.config.upload`). */
export type UploadRules = Required<Omit<UploadOptions, 'form'>>;

/** @param options what a route says of itself */
export function rulesOf({ form: _, ...options }: UploadOptions): UploadRules {
  return { withinSeconds: 300, maxFiles: 1, maxFields: 20, maxFieldBytes: 65_536, ...options };
}
