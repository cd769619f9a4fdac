import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { AnyMember, FlagMember, ListMember, TextMember } from '../../platform/http/answer-members';
import { IfGiven } from '../../platform/validation/shapes';
import { MailTemplate } from './mail-template.entity';

const changeable = ['subject', 'body', 'is_active', 'external_id', 'custom_fields'] as const;
const writable = ['kind', 'language', ...changeable] as const;

@BodyOf(MailTemplate, writable)
export class CreateMailTemplate extends MembersOf(MailTemplate, writable, ['kind', 'language', 'subject', 'body']) {}

@BodyOf(MailTemplate, changeable)
export class UpdateMailTemplate extends PartialType(MembersOf(MailTemplate, changeable, ['subject', 'body']), {
  skipNullProperties: false,
}) {}

/** A variable of a kind of mail. */
export class MailTemplateVariable {
  @TextMember({ example: 'ticket.code' })
  name: string;

  @TextMember({ example: 'Code of the ticket.' })
  description: string;

  @TextMember({ description: 'What a preview shows.', example: 'TCK-000123' })
  example: string;

  @FlagMember({ description: 'A text must have it.' })
  required: boolean;
}

/** A kind of mail, with what it says unless the workspace has written something else. */
export class MailTemplateKind {
  @TextMember({ example: 'ticket_received' })
  kind: string;

  @TextMember({ example: 'Tells who has written that the ticket is there.' })
  description: string;

  @ListMember(() => MailTemplateVariable)
  variables: MailTemplateVariable[];

  @AnyMember(
    {
      type: 'object',
      additionalProperties: { type: 'object', properties: { subject: { type: 'string' }, body: { type: 'string' } } },
    },
    { description: 'The service’s own texts, by language.' },
  )
  defaults: Record<string, { subject: string; body: string }>;
}

/** `POST /mail-templates/preview` */
export class PreviewMailTemplate {
  @ApiProperty({
    type: 'string',
    required: true,
    description: 'One of `/mail-templates/kinds`.',
    example: 'ticket_received',
  })
  @IsString()
  @MaxLength(64)
  kind: string;

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Of the text that is used as things stand; that of the workspace unless given.',
    example: 'de',
  })
  @IfGiven()
  @IsString()
  @Matches(/^[a-z]{2,8}$/)
  language?: string;

  @ApiProperty({ type: 'string', required: false, description: 'In place of the one that is used.' })
  @IfGiven()
  @IsString()
  @MaxLength(250)
  subject?: string;

  @ApiProperty({ type: 'string', required: false, description: 'In place of the one that is used.' })
  @IfGiven()
  @IsString()
  @MaxLength(20_000)
  body?: string;
}

/** A mail as it would be read. */
export class MailTemplatePreview {
  @TextMember({ example: 'de' })
  language: string;

  @FlagMember({ description: 'It is the service’s own text.' })
  is_default: boolean;

  @TextMember({ example: '[TCK-000123] Wir haben Ihre Anfrage erhalten' })
  subject: string;

  @TextMember({ description: 'A complete page, with the logo in it.' })
  html: string;

  @TextMember({ description: 'The same for who reads plain text.' })
  text: string;
}
