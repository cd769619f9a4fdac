/** `[start, end)` in ms since 1970. */
export type Interval = readonly [start: number, end: number];

/** The same time as intervals in order, none touching the next. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const result: [number, number][] = [];
  for (const [start, end] of intervals.toSorted((left, right) => left[0] - right[0])) {
    const last = result.at(-1);
    if (end <= start) continue;
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** What two lists have in common; both in order and disjoint. One sweep over both. */
export function intersection(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  const result: Interval[] = [];
  for (let i = 0, j = 0; ;) {
    const [a, b] = [left[i], right[j]];
    if (!a || !b) return result;
    const [start, end] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
    if (start < end) result.push([start, end]);
    if (a[1] < b[1]) i++;
    else j++;
  }
}

/** Place of the last number not greater than `moment`; -1 when all are greater. By halving. */
export function placeOf(ascending: readonly number[], moment: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
