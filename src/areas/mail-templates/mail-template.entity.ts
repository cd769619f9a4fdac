import { Entity } from 'typeorm';
import { BooleanColumn, StringColumn, TextColumn } from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';

/** What a workspace writes in place of one of the service's own mails, in one language. */
@Entity('mail_templates')
export class MailTemplate extends ResourceEntity {
  @StringColumn({
    required: true,
    max: 64,
    pattern: /^[a-z]+(_[a-z]+)*$/,
    description: 'Which mail: one of `/mail-templates/kinds`. It stays what it is.',
    example: 'ticket_received',
  })
  kind: string;

  @StringColumn({
    required: true,
    max: 8,
    pattern: /^[a-z]{2,8}$/,
    written: (language) => language.toLowerCase(),
    description: 'The first part of a BCP 47 tag. One template for each kind and language; it stays what it is.',
    example: 'de',
  })
  language: string;

  @StringColumn({
    required: true,
    max: 250,
    description: 'One line; with variables.',
    example: '[{{ticket.code}}] Wir haben Ihre Anfrage erhalten',
  })
  subject: string;

  @TextColumn({
    required: true,
    max: 20_000,
    description: 'Markdown with variables such as `{{requester.name}}`: those of its kind.',
    example: 'Guten Tag {{requester.name}},\n\nwir kümmern uns um **{{ticket.subject}}**.',
  })
  body: string;

  @BooleanColumn({ default: true, description: 'The service’s own text is used while it is not.' })
  is_active: boolean;
}
