/** Lets a limited number of tasks run at once; the others wait in line. */
export class Slots {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await task();
    } finally {
      // Passed on rather than returned, so that nobody who comes later gets ahead.
      const next = this.line.shift();
      if (next) next();
      else this.free++;
    }
  }
}
