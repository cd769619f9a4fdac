import { fingerprintOf, readIdempotencyKey } from '../../src/platform/idempotency/idempotency-key';
import { SingleFlight } from '../../src/platform/idempotency/single-flight';

describe('the header Idempotency-Key', () => {
  it('may be absent, plain or quoted', () => {
    expect(readIdempotencyKey(['Host', 'x'])).toBeNull();
    expect(readIdempotencyKey(['idempotency-key', 'abc'])).toBe('abc');
    expect(readIdempotencyKey(['Idempotency-Key', '"abc"'])).toBe('abc');
    expect(readIdempotencyKey(['X', 'Idempotency-Key', 'IDEMPOTENCY-KEY', 'k'])).toBe('k');
  });

  it.each(['', '""', 'a b', 'é', 'x'.repeat(256)])('is refused when it is %j', (value) => {
    expect(() => readIdempotencyKey(['Idempotency-Key', value])).toThrow('1 to 255 visible ASCII characters');
  });

  it('is refused when repeated, even with one value', () => {
    expect(() => readIdempotencyKey(['Idempotency-Key', 'a', 'idempotency-key', 'a'])).toThrow('more than once');
  });
});

describe('the fingerprint of a request', () => {
  const body = Buffer.from('{"a":1}');
  const request = { method: 'POST', url: '/v1/tickets', contentType: 'application/json', body, userId: null };

  it('is equal for equal requests only', () => {
    const print = fingerprintOf(request);
    expect(fingerprintOf({ ...request, body: Buffer.from('{"a":1}') })).toEqual(print);
    for (const other of [
      { ...request, method: 'PUT' },
      { ...request, url: '/v1/tickets?fields=id' },
      { ...request, contentType: 'application/json; charset=utf-8' },
      { ...request, body: Buffer.from('{"a": 1}') },
      { ...request, body: null },
      { ...request, userId: 1 },
    ]) {
      expect(fingerprintOf(other)).not.toEqual(print);
    }
  });
});

describe('single flight', () => {
  it('runs one of many and gives all its outcome', async () => {
    const flights = new SingleFlight<number>();
    let runs = 0;
    const work = async (): Promise<number> => {
      await new Promise((resolve) => setImmediate(resolve));
      return ++runs;
    };
    const results = await Promise.all(Array.from({ length: 100 }, () => flights.run('k', 60_000, work)));
    expect(runs).toBe(1);
    expect(results.filter((result) => result?.own).length).toBe(1);
    expect(results.every((result) => result?.outcome === 1)).toBe(true);
    expect(flights.size).toBe(0);
  });

  it('lets the next one try when the first fails', async () => {
    const flights = new SingleFlight<string>();
    let runs = 0;
    const work = async (): Promise<string> => {
      await new Promise((resolve) => setImmediate(resolve));
      if (++runs === 1) throw new Error('first');
      return 'second';
    };
    const [first, second] = await Promise.allSettled([flights.run('k', 60_000, work), flights.run('k', 60_000, work)]);
    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ value: { outcome: 'second', own: true } });
  });

  it('gives up waiting in time and does not disturb who works', async () => {
    const flights = new SingleFlight<string>();
    let finish: (value: string) => void = () => undefined;
    const first = flights.run('k', 60_000, () => new Promise<string>((resolve) => (finish = resolve)));
    await expect(flights.run('k', 5, () => Promise.resolve('never'))).resolves.toBeNull();
    finish('done');
    await expect(first).resolves.toEqual({ outcome: 'done', own: true });
  });
});
