import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { freeSlug, slugOf } from '../../../platform/text/slug';
import type { CreateMeetingType, UpdateMeetingType } from './meeting-type.dto';
import { MeetingType } from './meeting-type.entity';

/** Characters of a derived slug: room for `-` and a number. */
const SLUG_LENGTH = 72;

/** Types of meetings. One with meetings cannot be deleted, only made inactive: its meetings would lose their rules. */
@Injectable()
export class MeetingTypesService {
  constructor(
    @InjectStore(MeetingType) private readonly types: Store<MeetingType>,
    private readonly database: Database,
  ) {}

  create(body: CreateMeetingType): Promise<SingleResult> {
    return this.types.create(body, async (values) => {
      requireHosts(values);
      values.slug ??= await this.slugFor(body.name);
      return undefined;
    });
  }

  update(id: number, body: UpdateMeetingType, expected: ExpectedVersions): Promise<SingleResult> {
    return this.types.update(id, body, expected, (before, values) => {
      requireHosts({ ...before, ...values });
      return { values };
    });
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
function requireHosts({ scheduling, host_ids: hosts = [] }: Values<MeetingType>): void {
  if (scheduling === 'collective' && hosts.length === 0)
    invalid('host_ids', 'required', 'A collective meeting needs "host_ids".');
}
