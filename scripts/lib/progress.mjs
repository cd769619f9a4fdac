/**
 * Tells a person on standard error how far something is: one line that is written again and again on a terminal, a line
 * every few seconds elsewhere.
 *
 * @param text what to say, asked each time
 */
export function showProgress(text, { stream = process.stderr, everyMs = stream.isTTY ? 200 : 5_000 } = {}) {
  const started = Date.now();
  const line = () => `${text()}, ${Math.round((Date.now() - started) / 1000)} s`;
  const write = stream.isTTY
    ? () => stream.write(`\r${line().slice(0, (stream.columns ?? 80) - 1)}\u001b[K`)
    : () => stream.write(`${line()}\n`);
  write();
  const timer = setInterval(write, everyMs);
  return {
    /** Ends with a line that stays. */
    end(last) {
      clearInterval(timer);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      stream.write(`${stream.isTTY ? '\r' : ''}${last} (${seconds} s).${stream.isTTY ? '\u001b[K' : ''}\n`);
    },
  };
}
