import { Entity } from 'typeorm';
import { IsLanguageTag, IsTimeZoneName } from '../../platform/columns/column-validators';
import { EnumColumn, JsonColumn, StringColumn } from '../../platform/columns/columns';
import { CurrencyColumn } from '../../platform/money/currency';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { OneOf } from '../../platform/resource/rows';
import { objectOf } from '../../platform/validation/shapes';
import { WorkspaceLogo } from './logo/logo.dto';
import { UNSET, WorkspaceSettings } from './workspace-settings';

const workspaceKinds = ['developer', 'tenant'] as const;

/** The workspace as its people see it. Accounts, plans and tokens, which only the operator changes, are the platform's (`platform/auth`). */
@Entity('workspaces')
export class Workspace extends ResourceEntity {
  @StringColumn({ readOnly: true, max: 63, description: 'Unique; set when it was made.', example: 'acme' })
  slug: string;

  @StringColumn({ required: true, max: 200, description: 'What customers read it is called.', example: 'Acme Support' })
  name: string;

  @EnumColumn(workspaceKinds, { readOnly: true, description: 'Who owns it.' })
  kind: OneOf<typeof workspaceKinds>;

  @IsTimeZoneName()
  @StringColumn({
    max: 64,
    description: 'IANA name: where its days begin, and the zone of new users.',
    example: 'Europe/Berlin',
  })
  timezone: string;

  @IsLanguageTag()
  @StringColumn({ max: 35, description: 'BCP 47 tag: the language of articles that name none.', example: 'en' })
  locale: string;

  @CurrencyColumn({ description: 'ISO 4217 code: the currency of what names none.' })
  currency: string;

  @JsonColumn({
    shape: objectOf(WorkspaceSettings),
    unset: UNSET,
    description: 'Rules. A change names those that change; the others stay.',
    example: { csat_request: true, csat_delay_minutes: 60, mail_from_name: 'Acme Support' },
  })
  settings: WorkspaceSettings;

  @JsonColumn({
    readOnly: true,
    nullable: true,
    shape: objectOf(WorkspaceLogo),
    description: 'What `/workspace/logo` answers; null where the name stands in its place.',
  })
  logo: WorkspaceLogo | null;
}
