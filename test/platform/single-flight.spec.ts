import fc from 'fast-check';
import { SingleFlight } from '../../src/platform/database/single-flight';

/** What the questions ask of, and how it is asked. */
class Source {
  version = 0;
  asked = 0;
  underWay = 0;
  mostUnderWay = 0;

  constructor(private readonly scheduler: fc.Scheduler) {}

  /** Answers with the version that it found when it began, in the scheduler's time. */
  async ask(): Promise<number> {
    this.asked++;
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    const found = this.version;
    await this.scheduler.schedule(Promise.resolve(), 'answer');
    this.underWay--;
    return found;
  }
}

describe('SingleFlight', () => {
  it('never gives an answer that was begun before the question, with one of a kind under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('ask', 'change', 'wait'), { maxLength: 40 }),
        async (s, acts) => {
          const [flights, source] = [new SingleFlight(), new Source(s)];
          const answers: Promise<boolean>[] = [];
          for (const act of acts) {
            if (act === 'change') source.version++;
            else if (act === 'wait') await (s.count() > 0 ? s.waitNext(1) : Promise.resolve());
            else {
              const known = source.version;
              answers.push(flights.of('a', () => source.ask()).then((found) => found >= known));
            }
          }
          await s.waitIdle();
          expect(await Promise.all(answers)).toEqual(answers.map(() => true));
          expect(source.mostUnderWay).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('asks twice for any number of callers at one time, and once for each other question', async () => {
    const flights = new SingleFlight();
    const asked: string[] = [];
    const ask = (question: string) => async (): Promise<number> => {
      await new Promise(setImmediate);
      return asked.push(question);
    };
    const same = Array.from({ length: 100 }, () => flights.of('a', ask('a')));
    const other = flights.of('b', ask('b'));
    await Promise.all([...same, other]);
    expect(asked.sort()).toEqual(['a', 'a', 'b']);
    await flights.of('a', ask('a'));
    expect(asked).toHaveLength(4);
  });

  it('gives a failure to those who waited for that answer, and asks again for the others', async () => {
    const flights = new SingleFlight();
    const [lost, found] = [Promise.reject(new Error('lost')), Promise.resolve('found')];
    const first = flights.of('a', () => lost);
    const later = [flights.of('a', () => found), flights.of('a', () => found)];
    await expect(first).rejects.toThrow('lost');
    expect(await Promise.all(later)).toEqual(['found', 'found']);
  });
});
