import type { Received } from './upload-reader';

/** A file of a request: what a handler does with it decides whether it stays. */
export interface Receipt extends Received {
  /** Set once a row tells of it. */
  isKept: boolean;
  /** Set when it was given back: no row may tell of it any more. */
  isGone: boolean;
}
