import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { MomentMember, TextMember } from '../../platform/http/answer-members';
import { Export } from './export.entity';

const writable = ['resources', 'with_files', 'external_id', 'custom_fields'] as const;

@BodyOf(Export, writable)
export class CreateExport extends MembersOf(Export, writable, []) {}

/** A link to an archive, for somebody without a token. */
export class ExportLink {
  @TextMember({
    format: 'uri',
    example: 'https://helpdesk.example.com/p/exports/1-7-t6xe80-Zm9vYmFyYmF6cXV4cXV1eGNvcmdl',
  })
  url: string;

  @MomentMember()
  expires_at: string;
}
