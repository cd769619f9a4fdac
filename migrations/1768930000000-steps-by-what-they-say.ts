import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

interface StoredPolicy {
  workspace_id: number;
  id: number;
  escalation?: readonly unknown[];
}

/**
 * Steps of escalation are known by what they say, no longer by their place in the policy: `sla_escalations.step` is a number made of it.
 * Steps that the policy has no place for any more come to nothing, as they did.
 */
export class StepsByWhatTheySay1768930000000 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return this.renumber(runner, (place, number) => [place, number]);
  }

  down(runner: QueryRunner): Promise<void> {
    return this.renumber(runner, (place, number) => [number, place]);
  }

  private async renumber(
    runner: QueryRunner,
    way: (place: number, number: number) => readonly [from: number, to: number],
  ): Promise<void> {
    // Only the system role sees every workspace.
    await runner.query(`SET LOCAL ROLE ${SYSTEM_ROLE}`);
    const policies = (await runner.query(
      `SELECT workspace_id, id, escalation FROM sla_policies WHERE escalation <> '[]' ORDER BY workspace_id, id`,
    )) as StoredPolicy[];
    for (const { workspace_id, id, escalation = [] } of policies) {
      const pairs = numbersOf(escalation).map((number, place) => way(place, number));
      await runner.query(
        `UPDATE sla_escalations e SET step = s.becomes FROM unnest($3::integer[], $4::integer[]) AS s (was, becomes)
         WHERE e.workspace_id = $1 AND e.policy_id = $2 AND e.step = s.was`,
        [workspace_id, id, pairs.map(([from]) => from), pairs.map(([, to]) => to)],
      );
    }
    await runner.query(`RESET ROLE`);
  }
}

/** As the service numbers them. */
function numbersOf(steps: readonly unknown[]): number[] {
  const taken = new Set<number>();
  return steps.map((step) => {
    let number = createHash('sha256').update(JSON.stringify(step)).digest().readUInt32BE() >>> 2;
    while (taken.has(number)) number += 1;
    taken.add(number);
    return number;
  });
}
