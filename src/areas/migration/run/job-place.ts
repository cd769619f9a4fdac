import type { ServiceRequest } from '../services/service-source';

/** What became of the records of one entity. */
export interface Tally {
  total: number;
  processed: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
  /** Wait for their turn, or for records that they name. */
  pending: number;
  /** Made because others name them; not among those of the source. */
  made: number;
}

export const EMPTY: Tally = {
  total: 0,
  processed: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  failed: 0,
  pending: 0,
  made: 0,
};

/** Where a job is. */
export interface Place {
  /** Which entity, from 0. */
  step: number;
  /** In its file, or among the records that wait: pushed ones, those that are tried again, those that name others of their kind. */
  phase: 'file' | 'rest';
  /** The next byte of the file, and the line there. */
  bytes: number;
  line: number;
  /** What asks a service for the next page; null = the first one. */
  cursor: ServiceRequest | null;
  /** How often a service was asked for it in vain. */
  tries: number;
  /** Ids of some tickets that a dry run has seen. */
  sampled: string[];
  /** The last waiting record that had its turn; of what is read ticket by ticket, the record of the last ticket. */
  after: number;
  /** How often those that wait had a turn, and how many records that made this time. */
  round: number;
  made: number;
  /** Those that still wait have their last turn. */
  isLast: boolean;
  /** Files were read before. */
  restOnly: boolean;
  /** What came in is being taken back: there is no going on. */
  rolled: boolean;
}

export const BEGINNING: Place = {
  step: 0,
  phase: 'file',
  bytes: 0,
  line: 0,
  cursor: null,
  tries: 0,
  sampled: [],
  after: 0,
  round: 0,
  made: 0,
  isLast: false,
  restOnly: false,
  rolled: false,
};

/** The place, whatever a new job has stored. */
export function placeOf(stored: Partial<Place>): Place {
  return { ...BEGINNING, ...stored };
}

/** Behind the last page: those that wait have their turn. */
export function restOf(place: Place): Place {
  return {
    ...place,
    phase: 'rest',
    after: 0,
    round: 0,
    made: 0,
    isLast: false,
    bytes: 0,
    line: 0,
    cursor: null,
    tries: 0,
  };
}

/** What a page came to. */
export type Delta = Partial<Omit<Tally, 'processed'>>;

/** The same with something added. */
export function added(tally: Tally | undefined, more: Delta): Tally {
  const sum = { ...EMPTY, ...tally };
  for (const name of ['total', 'created', 'updated', 'skipped', 'failed', 'pending', 'made'] as const)
    sum[name] += more[name] ?? 0;
  sum.processed = sum.created + sum.updated + sum.skipped + sum.failed;
  return sum;
}
