/**
 * `promise`, or an error when it takes longer. The promise is not cancelled; its late outcome is ignored. What arrived in
 * time counts, also where this process was too busy to look at it before.
 */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Timers come first in a turn of the event loop; then what has arrived is read, and then immediates come.
      setImmediate(() => reject(new Error(`No answer within ${milliseconds} ms.`)));
    }, milliseconds);
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
