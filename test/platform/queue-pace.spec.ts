import { Coalesced } from '../../src/platform/queue/coalesced';
import { Slots } from '../../src/platform/queue/slots';

/** A promise that the test resolves. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('coalesced calls', () => {
  it('share a run, and those that come during one get another', async () => {
    const gates = [gate(), gate()];
    let runs = 0;
    const coalesced = new Coalesced(
      () => gates[runs++]!.opened,
      () => undefined,
    );
    for (let call = 0; call < 10; call++) coalesced.call();
    await Promise.resolve();
    expect(runs).toBe(1);
    for (let call = 0; call < 10; call++) coalesced.call();
    gates[0]!.open();
    gates[1]!.open();
    await coalesced.idle();
    expect(runs).toBe(2);
  });

  it('go on after an error, which is told', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const coalesced = new Coalesced(
      () => (++runs === 1 ? Promise.reject(new Error('as asked')) : Promise.resolve()),
      (error) => errors.push(error),
    );
    coalesced.call();
    await coalesced.idle();
    coalesced.call();
    await coalesced.idle();
    expect(runs).toBe(2);
    expect(errors).toEqual([new Error('as asked')]);
  });
});

describe('slots', () => {
  it('let so many tasks run at once, in the order they came, and survive their errors', async () => {
    const slots = new Slots(2);
    const begun: number[] = [];
    const gates = Array.from({ length: 5 }, gate);
    let running = 0;
    let most = 0;
    const tasks = gates.map(({ opened }, index) =>
      slots.run(async () => {
        begun.push(index);
        most = Math.max(most, ++running);
        await opened;
        running--;
        if (index === 1) throw new Error('as asked');
        return index;
      }),
    );
    const outcomes = Promise.allSettled(tasks);
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    for (const { open } of gates) open();
    expect((await outcomes).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
  });
});
