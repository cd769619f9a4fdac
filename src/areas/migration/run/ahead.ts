/**
 * The same values, each of which is worked out while the one before it is used: a file is read while the database writes. Whoever stops
 * early ends the source behind the value that is under way; a failure shows in its turn, or not at all.
 */
export async function* ahead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  let next = source.next();
  try {
    for (;;) {
      const now = await next;
      if (now.done === true) return;
      next = source.next();
      // It is looked at when its turn comes.
      next.catch(() => undefined);
      yield now.value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return(undefined);
  }
}
