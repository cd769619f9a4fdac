import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { AccessPlan } from '../context/access';
import { requireName } from './name-rule';
import { Plan } from './plan.entity';
import { ProvisioningError } from './provisioning-error';

/** The largest integer of PostgreSQL. */
const MAX_INTEGER = 2_147_483_647;

/** The plans an operator offers. A rate or quota of 0 means unlimited. */
@Injectable()
export class Plans {
  constructor(private readonly database: Database) {}

  async list(): Promise<AccessPlan[]> {
    const plans = await this.database.system(async () =>
      (await this.database.manager()).find(Plan, { order: { id: 'ASC' } }),
    );
    return plans.map(publicPlan);
  }

  /**
   * A new plan, or new figures for an existing one (running servers follow within a second).
   *
   * @throws ProvisioningError when a value is out of range
   */
  async put(plan: Omit<AccessPlan, 'name'> & { name?: string; storage_mb?: number }): Promise<AccessPlan> {
    requireSensible(plan);
    if (plan.name !== undefined) requireName(plan.name);
    return this.database.system(async () => {
      const manager = await this.database.manager();
      const { key, rate_limit_per_minute, monthly_quota, overage_enabled } = plan;
      const [saved] = await manager.query<Plan[]>(
        `INSERT INTO plans (key, name, rate_limit_per_minute, monthly_quota, overage_enabled, storage_mb)
         VALUES ($1, coalesce($2, initcap($1)), $3, $4, $5, $6)
         ON CONFLICT (key) DO UPDATE SET name = coalesce($2, plans.name), updated_at = now(),
           rate_limit_per_minute = excluded.rate_limit_per_minute, monthly_quota = excluded.monthly_quota,
           overage_enabled = excluded.overage_enabled, storage_mb = coalesce($6, plans.storage_mb)
         RETURNING *`,
        [key, plan.name ?? null, rate_limit_per_minute, monthly_quota, overage_enabled, plan.storage_mb ?? null],
      );
      if (!saved) throw new Error('INSERT … RETURNING answered no row.');
      return publicPlan(saved);
    });
  }
}

function requireSensible({
  key,
  rate_limit_per_minute,
  monthly_quota,
  storage_mb = 0,
}: Pick<AccessPlan, 'key' | 'rate_limit_per_minute' | 'monthly_quota'> & { storage_mb?: number }): void {
  if (!/^[a-z0-9][a-z0-9_-]{0,49}$/.test(key)) {
    throw new ProvisioningError('A plan key has 1 to 50 characters: a-z, 0-9, - and _.');
  }
  const fits = (value: number, most: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= most;
  if (!fits(rate_limit_per_minute, MAX_INTEGER) || !fits(storage_mb, MAX_INTEGER))
    throw new ProvisioningError(`Rate and storage are whole numbers up to ${MAX_INTEGER}, 0 for unlimited.`);
  if (!fits(monthly_quota, Number.MAX_SAFE_INTEGER))
    throw new ProvisioningError(`The quota is a whole number up to ${Number.MAX_SAFE_INTEGER}, 0 for unlimited.`);
}

function publicPlan({ key, name, rate_limit_per_minute, monthly_quota, overage_enabled }: Plan): AccessPlan {
  return { key, name, rate_limit_per_minute, monthly_quota, overage_enabled };
}
