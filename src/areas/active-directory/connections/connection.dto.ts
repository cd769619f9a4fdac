import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { FlagMember, IntegerMember, ListMember, TextMember } from '../../../platform/http/answer-members';
import { DirectoryConnection } from './connection.entity';

const changeable = [
  'name',
  'status',
  'config',
  'role_mappings',
  'users_without_mapping',
  'deprovision',
  'preserve_manual_roles',
  'schedule_minutes',
  'full_sync_hours',
  'safety',
  'external_id',
  'custom_fields',
] as const;

const writable = ['type', ...changeable] as const;

@BodyOf(DirectoryConnection, writable)
export class CreateConnection extends MembersOf(DirectoryConnection, writable, ['type', 'name']) {}

@BodyOf(DirectoryConnection, changeable)
export class UpdateConnection extends PartialType(OmitType(CreateConnection, ['type']), {
  skipNullProperties: false,
}) {}

/** Something that is worth knowing, in one sentence. */
export class ConnectionWarning {
  @TextMember()
  code: string;

  @TextMember()
  message: string;
}

/** What came of trying a connection. */
export class TestedConnection {
  @FlagMember({ description: 'Whether the directory answers, and lets us in.' })
  ok: boolean;

  @IntegerMember({ minimum: 0 })
  latency_ms: number;

  @TextMember({ nullable: true, description: 'Somebody who was found.' })
  sample_user: string | null;

  @ListMember(() => ConnectionWarning)
  warnings: ConnectionWarning[];
}
