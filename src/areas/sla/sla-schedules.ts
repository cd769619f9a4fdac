import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import { JobQueue } from '../../platform/queue/job-queue';
import { type Hooks, ResourceHooks } from '../../platform/resource/hooks';
import { changeMany } from '../../platform/resource/many-changes';
import type { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Row, Values } from '../../platform/resource/rows';
import { canonical } from '../../platform/text/json';
import { heldSchedule, hoursOf, type ScheduleHours } from '../schedules/schedule-lookup';
import { enqueueRecompute } from './recompute-job';
import type { CreateSlaPolicy, UpdateSlaPolicy } from './sla-policy.dto';
import { SlaPolicy } from './sla-policy.entity';

/** A schedule, as far as policies look at it. */
interface FollowedSchedule extends ResourceEntity, ScheduleHours {}

/**
 * Policies that follow a schedule. Its hours are kept with each of them, so that nothing that reads a policy has to look further; they
 * change in the unit of work in which the schedule does.
 */
@Injectable()
export class SlaSchedules implements Hooks<FollowedSchedule>, OnModuleInit {
  constructor(
    private readonly hooks: ResourceHooks,
    private readonly database: Database,
    private readonly queue: JobQueue,
    @InjectWorkspaceRepository(SlaPolicy) private readonly policies: WorkspaceRepository<SlaPolicy>,
  ) {}

  onModuleInit(): void {
    this.hooks.on('schedules', this);
  }

  /** Values of a new policy: it follows what it names, the default when it names no hours either. Ahead of every lock on policies. */
  async ofNew({ schedule, schedule_id: id }: CreateSlaPolicy): Promise<Values<SlaPolicy>> {
    if (id) return this.following(id);
    if (schedule !== undefined || id === null) return {};
    const standard = await heldSchedule(this.database, null);
    return standard ? { schedule_id: standard.id, schedule: standard.hours } : {};
  }

  /** Values of a change that names a schedule. Ahead of every lock on policies. */
  async ofChange({ schedule_id: id }: UpdateSlaPolicy): Promise<Values<SlaPolicy>> {
    return id ? this.following(id) : {};
  }

  /** The policies that follow a schedule get its hours, and their open tickets the due moments that come of them. */
  async afterUpdate(before: Row<FollowedSchedule>, after: Row<FollowedSchedule>): Promise<void> {
    const [from, to] = [hoursOf(before), hoursOf(after)];
    if (canonical(from) === canonical(to)) return;
    const following = await this.policies.find({ select: { id: true }, where: { schedule_id: after.id } });
    if (following.length === 0) return;
    await changeMany(this.database, {
      resource: 'sla_policies',
      condition: (bind) => `m.schedule_id = ${bind(after.id)} AND m.schedule <> ${bind(JSON.stringify(to))}::jsonb`,
      values: { schedule: to },
      events: ['sla_policy.updated'],
      changes: { schedule: { from, to } },
    });
    const ids = following.map(({ id }) => id);
    await enqueueRecompute(this.database, this.queue, ids);
  }

  private async following(id: number): Promise<Values<SlaPolicy>> {
    const schedule = await heldSchedule(this.database, id);
    if (!schedule) invalid('schedule_id', 'not_found', '"schedule_id" names a schedule that does not exist.');
    return { schedule_id: schedule.id, schedule: schedule.hours };
  }
}

/** Hours of its own, given to a policy that follows a schedule, end the following; the same hours do not. */
export function leaving(
  before: Pick<SlaPolicy, 'schedule' | 'schedule_id'>,
  values: Values<SlaPolicy>,
): Values<SlaPolicy> {
  const { schedule, schedule_id: id } = values;
  if (before.schedule_id === null || schedule === undefined || id !== undefined) return {};
  return canonical(schedule) === canonical(before.schedule) ? {} : { schedule_id: null };
}
