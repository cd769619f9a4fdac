import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { invalid } from '../../../platform/http/errors';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../../platform/resource/resource.service';
import type { Values } from '../../../platform/resource/resource.service';
import { freeSlug, slugOf } from '../../../platform/text/slug';
import { meetingTypeResource } from './meeting-type.resource';

/** Characters of a derived slug: room for `-` and a number. */
const SLUG_LENGTH = 72;

/** Types of meetings. One with meetings cannot be deleted, only made inactive: its meetings would lose their rules. */
@Injectable()
export class MeetingTypesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(meetingTypeResource, kernel);
  }

  protected override async prepareCreate(values: Values): Promise<undefined> {
    requireHosts(values);
    values.slug ??= await this.slugFor(values.name as string);
  }

  protected override prepareUpdate(before: Row, values: Values): Promise<Change> {
    requireHosts({ ...before, ...values });
    return Promise.resolve({ values });
  }

  private async slugFor(name: string): Promise<string> {
    const slug = slugOf(name, { maxLength: SLUG_LENGTH, isAscii: true }) ?? 'meeting';
    const rows = await this.database.query<{ slug: string }>(
      `SELECT slug FROM meeting_types WHERE workspace_id = $1 AND starts_with(slug, $2)`,
      [currentWorkspaceId(), slug],
    );
    return freeSlug(slug, new Set(rows.map((row) => row.slug)));
  }
}

/** All hosts together are somebody. */
function requireHosts({ scheduling, host_ids: hosts }: Values): void {
  if (scheduling === 'collective' && (hosts as number[]).length === 0)
    invalid('host_ids', 'required', 'A collective meeting needs "host_ids".');
}
