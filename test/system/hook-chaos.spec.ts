import { runChaos } from '../gates/hook-chaos';
import { misses } from '../gates/support/verdict';

/**
 * The gate `hook-chaos` in small: what it proves at length, no change may break even once. Every process serves and works:
 * half as many of them have both kinds of deaths.
 */
describe('deliveries while everything dies', () => {
  it('lose nothing, invent nothing and end', async () => {
    const plan = {
      ...{ events: 300, workspaces: 4, clients: 8, seconds: 10, seed: 7 },
      ...{ kills: 2, redisKills: 1, redisHangs: 1, hangSeconds: 2, lastHangSeconds: 12, postgresCrashes: 1 },
    };
    const { checks, facts } = await runChaos(plan, () => undefined, ['all', 'all']);
    expect({ misses: misses(checks), facts }).toEqual({ misses: [], facts: expect.anything() as unknown });
  });
});
