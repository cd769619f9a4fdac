/**
 * Does something with each of the records that a sweep has found, one after the other; one that cannot be done keeps no other waiting.
 *
 * @param undone what the log says of those that could not be done, behind their number: `tickets could not be changed`
 * @throws AggregateError of all failures, once every one was tried: the sweep shows as failing, and finds them again
 */
export async function eachAlone<T>(
  found: readonly T[],
  work: (each: T) => Promise<unknown>,
  undone: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const each of found) {
    try {
      await work(each);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${undone}.`);
}
