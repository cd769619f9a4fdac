/** Somebody who is to have another address, or a first one. */
export interface Claim {
  guid: string;
  /** The address of their user now, lower case; null when there is no user yet. */
  from: string | null;
  /** Lower case. */
  to: string;
}

/** In which order addresses can change hands, each of them being somebody's only once at any moment. */
export interface Settlement {
  /** Those whose address can change, first who has to give way to others. */
  order: string[];
  /** Those who want what somebody else has and keeps, or what another claim is given. */
  refused: Map<string, 'taken' | 'claimed_twice'>;
  /** Of those in a circle one of each circle: they give their address away before they get the next. */
  interim: string[];
}

/** @param taken addresses of users, lower case */
export function settleAddresses(claims: readonly Claim[], taken: ReadonlySet<string>): Settlement {
  const refused: Settlement['refused'] = new Map();
  const claimants = new Map<string, Claim>();
  for (const claim of claims) {
    if (claimants.has(claim.to)) refused.set(claim.guid, 'claimed_twice');
    else claimants.set(claim.to, claim);
  }
  // Whoever cannot move keeps their address, and whoever wants that cannot move either.
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    const leaving = new Set([...claimants.values()].flatMap(({ from }) => from ?? []));
    for (const [to, { guid, from }] of claimants) {
      if (!taken.has(to) || to === from || leaving.has(to)) continue;
      refused.set(guid, 'taken');
      claimants.delete(to);
      isSettled = false;
    }
  }
  const byFrom = new Map(
    [...claimants.values()].flatMap((claim) => (claim.from === null ? [] : [[claim.from, claim]])),
  );
  return { refused, ...ordered([...claimants.values()], byFrom) };
}

/** Whoever holds what another wants goes first; who comes back to themselves on the way is in a circle. */
function ordered(claims: readonly Claim[], byFrom: ReadonlyMap<string, Claim>): Pick<Settlement, 'order' | 'interim'> {
  const order: string[] = [];
  const interim: string[] = [];
  const done = new Set<string>();
  for (const claim of claims) {
    const path: Claim[] = [];
    const onPath = new Set<string>();
    for (let next: Claim | undefined = claim; next && !done.has(next.guid) && next.from !== next.to;) {
      if (onPath.has(next.guid)) {
        interim.push(next.guid);
        break;
      }
      onPath.add(next.guid);
      path.push(next);
      next = byFrom.get(next.to);
    }
    for (const { guid } of path.toReversed()) {
      done.add(guid);
      order.push(guid);
    }
    if (!done.has(claim.guid)) {
      done.add(claim.guid);
      order.push(claim.guid);
    }
  }
  return { order, interim };
}
