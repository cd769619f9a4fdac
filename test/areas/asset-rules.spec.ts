import fc from 'fast-check';
import { canonicalIp, canonicalMac, HOSTNAME } from '../../src/areas/assets/identity/asset-identity';
import {
  ASSET_STATUSES,
  type AssetState,
  HELD_STATUSES,
  isHeld,
  type Settled,
  settle,
  STATUS_RULES,
} from '../../src/areas/assets/asset-status';
import { assetTag } from '../../src/areas/assets/identity/asset-tag';
import { ApiError } from '../../src/platform/errors/api-error';

const status = fc.constantFrom(...ASSET_STATUSES);
const holder = fc.constantFrom(
  { assigned_to: null, assigned_contact_id: null },
  { assigned_to: 1, assigned_contact_id: null },
  { assigned_to: 2, assigned_contact_id: null },
  { assigned_to: null, assigned_contact_id: 1 },
);
/** A state that an asset can be in. */
const state = fc
  .tuple(status, holder)
  .map(([value, held]): AssetState => ({ status: value, ...held }))
  .filter((each) => !isHeld(each) || HELD_STATUSES.includes(each.status));
const change = fc.record(
  { status, assigned_to: fc.constantFrom(null, 1, 2), assigned_contact_id: fc.constantFrom(null, 1) },
  { requiredKeys: [] },
);

/** The outcome, or the field that was refused. */
function outcome(before: AssetState, asked: Partial<AssetState>): Settled | string {
  try {
    return settle(before, asked);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.extras.details?.[0]?.field ?? 'none';
  }
}

describe('the status of an asset', () => {
  it('never leaves a held asset in a status that nobody can have it in', () => {
    fc.assert(
      fc.property(state, change, (before, asked) => {
        const settled = outcome(before, asked);
        if (typeof settled === 'string') return;
        const after = { ...before, ...asked, status: settled.status };
        expect(after.assigned_to === null || after.assigned_contact_id === null).toBe(true);
        expect(!isHeld(after) || HELD_STATUSES.includes(after.status)).toBe(true);
      }),
    );
  });

  it('is the same when the change is asked for again', () => {
    fc.assert(
      fc.property(state, change, (before, asked) => {
        const settled = outcome(before, asked);
        if (typeof settled === 'string') return;
        const after = { ...before, ...asked, status: settled.status };
        expect(settle(after, after)).toEqual({ status: settled.status, action: 'updated', events: [] });
      }),
    );
  });

  it('is announced: given, taken back, out of service, and nothing of it otherwise', () => {
    fc.assert(
      fc.property(state, change, (before, asked) => {
        const settled = outcome(before, asked);
        if (typeof settled === 'string') return;
        const after = { ...before, ...asked, status: settled.status };
        const moved =
          after.assigned_to !== before.assigned_to || after.assigned_contact_id !== before.assigned_contact_id;
        expect(settled.events.includes('asset.assigned')).toBe(moved && isHeld(after));
        expect(settled.events.includes('asset.unassigned')).toBe(isHeld(before) && !isHeld(after));
        const ends = STATUS_RULES[after.status].ended && !STATUS_RULES[before.status].ended;
        expect(settled.events.includes('asset.retired')).toBe(ends);
      }),
    );
  });

  it.each([
    ['in_stock', 'in_use'],
    ['reserved', 'in_use'],
    ['in_use', 'in_use'],
    ['in_repair', 'in_repair'],
  ] as const)('of an asset that is %s becomes %s for whoever gets it', (from, to) => {
    const free = { status: from, assigned_to: null, assigned_contact_id: null };
    expect(settle(free, { assigned_to: 7 }).status).toBe(to);
    expect(settle(null, { ...free, assigned_contact_id: 7 }).status).toBe(to);
  });

  it.each(['retired', 'lost', 'disposed'] as const)('%s is for assets that nobody has', (gone) => {
    const free = { status: gone, assigned_to: null, assigned_contact_id: null };
    const held: AssetState = { status: 'in_use', assigned_to: 7, assigned_contact_id: null };
    expect(outcome(free, { assigned_to: 7 })).toBe('status');
    expect(outcome(held, { status: gone })).toBe('status');
    expect(settle(held, { status: gone, assigned_to: null })).toMatchObject({ status: gone, action: 'retired' });
  });
});

describe('the identity of a device', () => {
  it('has one form of every MAC address, however it is written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 6 }), fc.boolean(), (bytes, upper) => {
        const hex = Buffer.from(bytes).toString('hex');
        const pairs = hex.match(/../g) ?? [];
        const forms = [pairs.join(':'), pairs.join('-'), hex, (hex.match(/..../g) ?? []).join('.')];
        for (const form of forms) {
          expect(canonicalMac(upper ? form.toUpperCase() : form)).toBe(pairs.join(':'));
        }
      }),
    );
  });

  it('has one form of every address', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => expect(canonicalIp(address)).toBe(address)));
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const form = canonicalIp(address);
        expect(form).not.toBeNull();
        expect(canonicalIp(form ?? '')).toBe(form);
      }),
    );
    expect(canonicalIp('2001:0DB8:0:0:0:0:0:1')).toBe('2001:db8::1');
  });

  it.each(['', '1', '10.0.0', '0x7f.1', '010.0.0.1', '10.0.0.256', '::g', 'fe80::1%eth0', '1.2.3.4 '])(
    'takes %j for no address',
    (text) => {
      expect(canonicalIp(text)).toBeNull();
    },
  );

  it('takes for a host name what RFC 1123 does', () => {
    for (const name of ['a', 'pc-1', '7', 'eve.corp.example', 'x'.repeat(63)]) expect(HOSTNAME.test(name)).toBe(true);
    for (const name of ['', '-a', 'a-', 'a..b', '.a', 'a.', 'a_b', 'ä', 'x'.repeat(64), `${'a.'.repeat(126)}ab`])
      expect([name, HOSTNAME.test(name)]).toEqual([name, false]);
  });
});

it('tags are numbered with six digits, and more when they run out', () => {
  expect([assetTag(1), assetTag(999_999), assetTag(1_000_000)]).toEqual(['AST-000001', 'AST-999999', 'AST-1000000']);
});
