import { currentOrNone } from './current';

/**
 * The time of the current workspace, in ms since 1970: the real one, unless it is a sandbox whose clock was moved. Whatever areas do is
 * dated by it; SQL says `now()` and means the same. What the outside world must agree with (signatures) takes the real one.
 */
export function clockMs(): number {
  return Date.now() + (currentOrNone()?.clockAheadMs ?? 0);
}

/** The same as a Date. */
export function clockNow(): Date {
  return new Date(clockMs());
}
