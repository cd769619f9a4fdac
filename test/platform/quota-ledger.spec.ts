import fc from 'fast-check';
import { QuotaLedger, type QuotaVerdict } from '../../src/platform/limits/quota-ledger';

function settled(used: number, secondsLeft = 3600): QuotaLedger {
  const ledger = new QuotaLedger(1);
  ledger.take();
  ledger.settle({ month: '2026-01', used, granted: 0, seconds_left: secondsLeft }, [], 0);
  return ledger;
}

describe('quota ledger', () => {
  it('knows nothing before the database has answered', () => {
    const ledger = new QuotaLedger(1);
    expect(ledger.isKnown(0)).toBe(false);
    expect(ledger.mayCountFreely(0, 1_000_000)).toBe(false);
  });

  it('counts freely while a thousand or a hundredth of the quota is left, whichever is more', () => {
    expect(settled(9000).mayCountFreely(0, 10_000)).toBe(true);
    expect(settled(9001).mayCountFreely(0, 10_000)).toBe(false);
    expect(settled(990_000).mayCountFreely(0, 1_000_000)).toBe(true);
    expect(settled(990_001).mayCountFreely(0, 1_000_000)).toBe(false);
  });

  it('counts what is still on its way', () => {
    const ledger = settled(9000);
    ledger.pending = 1;
    expect(ledger.figure).toBe(9001);
    expect(ledger.mayCountFreely(0, 10_000)).toBe(false);
    ledger.take();
    expect(ledger.figure).toBe(9001);
  });

  it('needs a more recent figure the closer the quota is: 20,000 requests a second may have used it up', () => {
    expect(settled(0).mayCountFreely(450, 10_000)).toBe(true);
    expect(settled(0).mayCountFreely(451, 10_000)).toBe(false);
    expect(settled(8000).mayCountFreely(50, 10_000)).toBe(true);
    expect(settled(8000).mayCountFreely(51, 10_000)).toBe(false);
    expect(settled(0).mayCountFreely(1000, 1_000_000)).toBe(true);
    expect(settled(0).mayCountFreely(1001, 1_000_000)).toBe(false);
  });

  it('keeps no more than 250 counts from the other nodes', () => {
    const ledger = settled(0);
    ledger.pending = 249;
    expect(ledger.mayCountFreely(0, 1_000_000)).toBe(true);
    ledger.pending = 250;
    expect(ledger.mayCountFreely(0, 1_000_000)).toBe(false);
  });

  it('does not show a figure older than a minute', () => {
    expect(settled(0).isKnown(60_000)).toBe(true);
    expect(settled(0).isKnown(60_001)).toBe(false);
  });

  it('forgets the figure when the month of the database ends', () => {
    expect(settled(5, 10).isKnown(9999)).toBe(true);
    expect(settled(5, 10).isKnown(10_000)).toBe(false);
  });

  it('grants in the order of asking and shows each request its own figure', () => {
    const ledger = settled(7);
    const verdicts: QuotaVerdict[] = [];
    for (const wanted of [1, 0, 1, 1] as const) {
      ledger.questions.push({ wanted, limit: 10, answer: (verdict) => verdicts.push(verdict) });
    }
    const { questions } = ledger.take();
    ledger.settle({ month: '2026-01', used: 10, granted: 2, seconds_left: 60 }, questions, 0);
    expect(verdicts.map(({ granted, used }) => [granted, used])).toEqual([
      [true, 9],
      [true, 9],
      [true, 10],
      [false, 10],
    ]);
  });

  it('neither loses nor doubles a count when the database is away', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('count', 'settle', 'refused by database')), (events) => {
        const ledger = settled(0);
        let counted = 0;
        let written = 0;
        for (const event of events) {
          if (event === 'count') {
            ledger.pending++;
            counted++;
          } else {
            const taken = ledger.take();
            if (event === 'settle') {
              written += taken.counted;
              ledger.settle({ month: '2026-01', used: written, granted: 0, seconds_left: 60 }, [], 0);
            } else {
              ledger.giveBack();
            }
          }
          expect(ledger.figure).toBe(counted);
        }
        expect(written + ledger.take().counted).toBe(counted);
      }),
    );
  });
});
