import { characters } from '../../../platform/search/words';

/**
 * How many letters must be replaced, left out, put in or swapped with their neighbour to make `b` of `a`: optimal string
 * alignment (Damerau 1964, each pair of letters touched once).
 *
 * @param most larger distances are answered as `most + 1`
 */
export function editDistance(a: string, b: string, most: number): number {
  const [left, right] = [characters(a), characters(b)];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let before: number[] = [];
  let row = right.map((_, index) => index + 1);
  row.unshift(0);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1] && i > 1 && j > 1) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      next.push(best);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return Math.min(row[right.length] ?? 0, most + 1);
}
