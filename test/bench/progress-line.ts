const EVERY_MS = 5_000;

/** A line on standard error now and then: a benchmark's output goes to a file as often as to a terminal. */
export function createProgressLine(subject: string): (step: string, done: number) => void {
  let last = 0;
  return (step, done) => {
    if (Date.now() - last < EVERY_MS) return;
    last = Date.now();
    process.stderr.write(`${subject}: ${Math.round(done * 100)} %, ${step}\n`);
  };
}
