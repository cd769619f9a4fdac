/** What `work` throws, provided that it is of that class; fails when it throws nothing or something else. */
export function thrownBy<E extends Error>(work: () => unknown, type: abstract new (...args: never[]) => E): E {
  try {
    work();
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new Error('Expected an error, but nothing was thrown.');
}
