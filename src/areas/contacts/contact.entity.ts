import { Entity } from 'typeorm';
import { timestampText } from '../../platform/columns/column-spec';
import { IsLanguageTag, IsTimeZoneName } from '../../platform/columns/column-validators';
import {
  BooleanColumn,
  ComputedColumn,
  EmailColumn,
  EnumColumn,
  ReferenceColumn,
  StringColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../platform/resource/rows';

export const contactStatuses = ['active', 'blocked'] as const;
const mailStatuses = ['ok', 'bounced'] as const;
export const MAX_NOTES = 20_000;

/** SQL of when a contact was seen last. @param tickets `o`, those that tell of it, and their condition */
export const lastSeen = (tickets: string): string =>
  `(SELECT ${timestampText('max(greatest(n.created_at, n.last_requester_comment_at))')} FROM (SELECT o.created_at, o.last_requester_comment_at FROM ${tickets} ORDER BY o.created_at DESC LIMIT 20) n)`;

/** A person who asks: the requester of tickets. Created by hand or with the first ticket from an address. */
@Entity('contacts')
export class Contact extends ResourceEntity {
  @EmailColumn({ required: true, description: 'Unique in the workspace.', example: 'paul.weber@acme.example' })
  email: string;

  @StringColumn({ max: 255, nullable: true, example: 'Paul Weber' })
  name: string | null;

  @StringColumn({ max: 50, nullable: true, example: '+49 30 901820' })
  phone: string | null;

  @StringColumn({ max: 50, nullable: true, example: '+49 170 5550123' })
  mobile: string | null;

  @StringColumn({ max: 120, nullable: true, example: 'Head of IT' })
  job_title: string | null;

  @ReferenceColumn('companies', { nullable: true })
  company_id: number | null;

  @IsLanguageTag()
  @StringColumn({ max: 35, nullable: true, description: 'BCP 47 tag.', example: 'de' })
  language: string | null;

  @IsTimeZoneName()
  @StringColumn({ max: 64, nullable: true, description: 'IANA name.', example: 'Europe/Berlin' })
  timezone: string | null;

  @BooleanColumn({ default: false })
  is_vip: boolean;

  @EnumColumn(contactStatuses, { default: 'active' })
  status: OneOf<typeof contactStatuses>;

  @EnumColumn(mailStatuses, {
    default: 'ok',
    description:
      'Whether mail arrives. `bounced` when a server said that there is no such mailbox: no automatic mail goes there until the address changes, the contact writes from it, or this is set to `ok`.',
  })
  mail_status: OneOf<typeof mailStatuses>;

  @TimestampColumn({ readOnly: true, nullable: true, description: 'When that was said.' })
  mail_bounced_at: string | null;

  @StringColumn({
    max: 500,
    readOnly: true,
    nullable: true,
    description: 'What the server said.',
    example: '5.1.1: 550 No such user here',
  })
  mail_bounce_reason: string | null;

  @TextColumn({ max: MAX_NOTES, nullable: true })
  notes: string | null;

  @TagsColumn({ example: 'beta,newsletter' })
  tags: string;

  @TimestampColumn({
    readOnly: true,
    nullable: true,
    description: 'When the person was erased; nothing can be written here since.',
  })
  erased_at: string | null;

  /** The newest tickets suffice: an older one is not written to after all of them but in rare cases. */
  @ComputedColumn(
    {
      type: 'string',
      format: 'date-time',
      description: 'When the contact last opened, or wrote in, one of the 20 newest tickets.',
    },
    (contact) => lastSeen(`tickets o WHERE o.workspace_id = ${contact}.workspace_id AND o.contact_id = ${contact}.id`),
    true,
  )
  last_seen_at: Computed<string | null>;
}
