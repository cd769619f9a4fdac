/** What `ask` answers; what it throws before it answers is what the promise fails with. As an `async` function, without a promise of its own. */
export function promised<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return ask();
  } catch (error) {
    const told = error as Error;
    return Promise.reject(told);
  }
}
