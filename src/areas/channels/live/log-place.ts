/**
 * How far somebody has been told what is in the log: everything that a snapshot of PostgreSQL sees (`from`), and of what a later one sees
 * besides (`to`) everything as far as an event (`after`). Whatever commits later, however early it began, is in neither.
 */
export interface LogPlace {
  from: string;
  to: string;
  /** Null where `from` and `to` are the same. */
  after: EventPlace | null;
}

/** Where an event stands: by its transaction, and within it by its id. */
export interface EventPlace {
  tx: string;
  id: string;
}

/** Transactions under way that a mark names; beyond, whoever comes back is told some events twice. */
const MAX_RUNNING = 40;
const MAX_MARK = 2_000;
const SNAPSHOT = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)$/;

/** Everything that a snapshot sees. */
export function upTo(snapshot: string): LogPlace {
  return { from: snapshot, to: snapshot, after: null };
}

/** Everything as far as an event that nothing can come before any more: transactions have ended as far as its own. */
export function behindEvent({ tx, id }: EventPlace): LogPlace {
  const next = String(BigInt(tx) + 1n);
  return { from: `${tx}:${tx}:`, to: `${next}:${next}:`, after: { tx, id } };
}

/** What a stream calls a place (`Last-Event-ID`): the event, and the snapshots. @param uid of the event that was told last */
export function markOf(uid: string, { from, to, after }: LogPlace): string {
  return after === null ? `${uid}~${shortened(to)}` : `${uid}~${shortened(from)}~${shortened(to)}`;
}

/** The event that a mark names, and the snapshots, where they are some; null for what is none. */
export function readMark(mark: string): { uid: string; snapshots: readonly string[] } | null {
  if (mark.length > MAX_MARK) return null;
  const [uid = '', ...snapshots] = mark.split('~');
  return uid === '' ? null : { uid, snapshots: snapshots.length <= 2 && snapshots.every(isSnapshot) ? snapshots : [] };
}

/** Number of the first transaction that a snapshot may not see. */
export function firstUnseen(snapshot: string): string {
  return snapshot.split(':', 1)[0] ?? '1';
}

/** Whether a text is a snapshot, as PostgreSQL takes one. */
function isSnapshot(text: string): boolean {
  const [, least = '0', most = '0', list = ''] = SNAPSHOT.exec(text) ?? [];
  const running = list === '' ? [] : list.split(',').map(BigInt);
  const [min, max] = [BigInt(least), BigInt(most)];
  const isInOrder = running.every(
    (tx, index) => tx >= min && tx < max && (index === 0 || tx > (running[index - 1] ?? tx)),
  );
  return min > 0n && min <= max && isInOrder;
}

/** A snapshot that sees no more than another, in fewer words. */
function shortened(snapshot: string): string {
  const [least = '1', , running = ''] = snapshot.split(':');
  return running.split(',').length <= MAX_RUNNING ? snapshot : `${least}:${least}:`;
}
