import { Coalesced } from '../../src/platform/queue/coalesced';

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
