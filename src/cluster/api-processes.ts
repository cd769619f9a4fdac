import cluster, { type Worker } from 'node:cluster';
import type { Assignment, Order, Report } from './messages';
import { Restarts } from './restarts';

/** Processes that answer requests do not stay. The message is a sentence or two that say what to do. */
export class ApiProcessError extends Error {
  override readonly name = 'ApiProcessError';
}

/** The place of one of them: whoever takes it has its number. */
interface Place {
  readonly number: number;
  readonly restarts: Restarts;
  worker: Worker;
  isGone: boolean;
  /** Whether it hears orders. */
  hears: boolean;
  /** What it is to be told as soon as it does. */
  pending: Order | null;
  /** Of the monotonic clock; null = not yet. */
  answersSince: number | null;
}

/**
 * The processes that answer requests behind one port (`node:cluster`: this process takes connections and hands them out in turns).
 * One that ends is replaced. They end by themselves when this process is gone.
 */
export class ApiProcesses {
  private readonly places: Place[];
  private assignment: Assignment | null = null;
  private running = false;
  private ending = false;

  /**
   * Makes them, which takes them a moment: what they are to do they are told by `start`.
   *
   * @param program what they run: the script of this process
   * @param gaveUp told why when one of them ends again and again
   * @param pausesMs as of `Restarts`
   */
  constructor(
    program: string,
    count: number,
    private readonly say: (line: string) => void,
    private readonly gaveUp: (error: ApiProcessError) => void,
    pausesMs?: readonly number[],
  ) {
    cluster.setupPrimary({ exec: program });
    this.places = Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      restarts: new Restarts(pausesMs),
      worker: cluster.fork(),
      isGone: false,
      hears: false,
      pending: null,
      answersSince: null,
    }));
    for (const place of this.places) this.watch(place);
  }

  /**
   * Lets them answer: first one alone, so that what keeps it from starting is said once, then the others; one of those that ends is
   * replaced.
   *
   * @param madeNow id of a demo workspace whose records the first one makes; null = of none
   * @returns where they answer
   * @throws ApiProcessError when the first one ends instead
   */
  async start(assignment: Assignment, madeNow: number | null): Promise<string> {
    this.assignment = assignment;
    const [first, ...others] = this.places;
    if (!first) throw new Error('There is at least one.');
    const url = await this.answering(first, madeNow);
    this.running = true;
    for (const place of this.places.filter(({ isGone }) => isGone)) this.replace(place);
    await Promise.all(others.map((place) => this.answering(place, null).catch(() => undefined)));
    return url;
  }

  /** Lets them answer what they have begun, and resolves when all are gone. */
  async end(): Promise<void> {
    this.ending = true;
    for (const place of this.places) tell(place, { order: 'end' });
    await Promise.all(this.places.map(({ worker }) => gone(worker)));
  }

  private watch(place: Place): void {
    const { worker } = place;
    worker.on('message', ({ report }: Report) => {
      if (report === 'answers') place.answersSince = performance.now();
      else {
        place.hears = true;
        if (place.pending) tell(place, place.pending);
      }
    });
    void gone(worker).then(() => {
      place.isGone = true;
      if (this.running && !this.ending) this.replace(place);
    });
  }

  /** Resolves with where it answers. */
  private async answering(place: Place, madeNow: number | null): Promise<string> {
    const { number, worker } = place;
    const answer = new Promise<string>((resolve) => {
      worker.on('message', (message: Report) => {
        if (message.report === 'answers') resolve(message.url);
      });
    });
    this.order(place, madeNow);
    const url = await Promise.race([answer, gone(worker)]);
    if (url !== null) return url;
    throw new ApiProcessError(
      `API process ${number} ended (${howOf(worker)}) before it answered; what it said before tells why.`,
    );
  }

  private order(place: Place, madeNow: number | null): void {
    if (!this.assignment) return;
    tell(place, { order: 'serve', assignment: { ...this.assignment, worker: place.number }, madeNow });
  }

  private replace(place: Place): void {
    const { number, worker, answersSince } = place;
    const pauseMs = place.restarts.pauseAfter(answersSince === null ? null : performance.now() - answersSince);
    const what = `API process ${number} (pid ${worker.process.pid ?? 'none'}) ended unexpectedly (${howOf(worker)})`;
    if (pauseMs === null) {
      const advice = 'What it said before tells why: mend that, then start this program again.';
      this.gaveUp(new ApiProcessError(`${what}, again and again before it answered. ${advice}`));
      return;
    }
    this.say(`${what}; starting another${pauseMs >= 1_000 ? ` in ${pauseMs / 1_000} s` : ''}.`);
    setTimeout(() => {
      if (this.ending) return;
      place.worker = cluster.fork();
      place.isGone = place.hears = false;
      place.answersSince = null;
      this.watch(place);
      this.order(place, null);
    }, pauseMs);
  }
}

/** Once the process hears; lost where it is just ending. */
function tell(place: Place, order: Order): void {
  place.pending = order;
  if (place.hears && place.worker.isConnected()) place.worker.send(order, () => undefined);
}

/** Resolves when the process has ended, also where it could not even be made. */
function gone(worker: Worker): Promise<null> {
  return new Promise((resolve) => {
    const ended = (): void => {
      resolve(null);
    };
    worker.once('exit', ended);
    // Why it could not be made, or a message that no longer arrived.
    worker.on('error', () => undefined);
    if (worker.isDead() || worker.process.pid === undefined) ended();
  });
}

/** How a process ended: `code 1`, `SIGKILL`. */
function howOf({ process: { exitCode, signalCode } }: Worker): string {
  return signalCode ?? `code ${exitCode ?? 'unknown'}`;
}
