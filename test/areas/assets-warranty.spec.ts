import { AssetWarranties } from '../../src/areas/assets/asset-warranties';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { middayDate, middayZone } from '../support/midday';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// The job runs when the tests say so; what another application of this run announced before is announced all the same.
const server = useApp({ role: 'api' });
const sql = useSql();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
  await sql.rows('UPDATE workspaces SET timezone = $2 WHERE id = $1', [home.id, middayZone()]);
});

const make = async (fields: object): Promise<number> =>
  (await home.api.post('/assets', { name: 'Laptop', ...fields })).expect(201).data.id;
/** Batch by batch: the assets of other tests may be due before. */
async function tick(): Promise<void> {
  while (await server.app.get(Database).system(() => server.app.get(AssetWarranties).run()));
}
const warnings = async (id: number): Promise<unknown[]> => {
  const events = await eventsOf(server, home, 'asset', id);
  return events.filter(({ type }) => type === 'asset.warranty_expiring').map(({ related }) => related);
};

describe('the end of a warranty', () => {
  it('is announced 30 days before, once, however many nodes look', async () => {
    const [soon, last, later, never] = [
      await make({ warranty_expires_at: middayDate(20) }),
      await make({ warranty_expires_at: middayDate(0) }),
      await make({ warranty_expires_at: middayDate(33) }),
      await make({}),
    ];
    const before = (await home.api.get(`/assets/${soon}`)).header('etag');
    await Promise.all([tick(), tick(), tick()]);
    await tick();
    expect(await warnings(soon)).toEqual([{ warranty: { expires_at: middayDate(20), days_left: 20 } }]);
    expect((await warnings(last)).length).toBe(1);
    expect([await warnings(later), await warnings(never)]).toEqual([[], []]);
    expect((await home.api.get(`/assets/${soon}`)).header('etag')).toBe(before);
  });

  it('is announced again for another date', async () => {
    const id = await make({ warranty_expires_at: middayDate(10) });
    await tick();
    (await home.api.patch(`/assets/${id}`, { warranty_expires_at: middayDate(12) })).expect(200);
    await tick();
    expect(await warnings(id)).toMatchObject([{ warranty: { days_left: 10 } }, { warranty: { days_left: 12 } }]);
  });

  it('is announced late when nobody was there in time, but not when it was entered too late', async () => {
    const [missed, old, changed] = [
      await make({ warranty_expires_at: middayDate(100) }),
      await make({ warranty_expires_at: middayDate(-5) }),
      await make({ warranty_expires_at: middayDate(100) }),
    ];
    await sql.rows('UPDATE assets SET warranty_expires_at = $2 WHERE id = $1', [missed, middayDate(-3)]);
    (await home.api.patch(`/assets/${changed}`, { warranty_expires_at: middayDate(-5) })).expect(200);
    await tick();
    expect(await warnings(missed)).toEqual([{ warranty: { expires_at: middayDate(-3), days_left: -3 } }]);
    expect([await warnings(old), await warnings(changed)]).toEqual([[], []]);
  });

  it('is nothing to tell of what is out of service', async () => {
    const id = await make({ warranty_expires_at: middayDate(5), status: 'disposed' });
    await tick();
    expect(await warnings(id)).toEqual([]);
    (await home.api.patch(`/assets/${id}`, { status: 'in_stock' })).expect(200);
    await tick();
    expect((await warnings(id)).length).toBe(1);
  });
});
