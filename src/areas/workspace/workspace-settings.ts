import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsInt, IsString, IsUrl, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { COLOUR } from '../../platform/brand/colour';
import { normaliseTags } from '../../platform/columns/column-spec';
import { IsSomeTag } from '../../platform/columns/column-validators';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { canonical } from '../../platform/text/json';
import { IfGiven, IfPresent } from '../../platform/validation/shapes';

/** Ten years: what is later is never. */
const MAX_DAYS = 3_650;
/** Thirty days. */
const MAX_CSAT_DELAY_MINUTES = 43_200;
const MAX_SENDER_NAME = 100;
/** A hundred years. */
export const MAX_RETENTION_DAYS = 36_500;
const MAX_TAG = 50;
const MAX_SIGNATURE = 2_000;
const MAX_POSTAL_ADDRESS = 500;
const MAX_WEBSITE = 200;

/** The rules that an owner may change. A body names those that change; the others stay. */
export class WorkspaceSettings {
  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Days after which a resolved ticket closes by itself; 0 = never. 7 until it is set.',
    example: 7,
  })
  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(MAX_DAYS)
  auto_close_days?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    description: 'Days after closing in which a ticket may be reopened; null = always.',
    example: 30,
  })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(MAX_DAYS)
  reopen_window_days?: number | null;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'Assigning an open ticket moves it to `in_progress`.',
    example: true,
  })
  @IfGiven()
  @IsBoolean()
  auto_start_on_assign?: boolean;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'Requesters are asked by mail to rate how their ticket was resolved.',
    example: true,
  })
  @IfGiven()
  @IsBoolean()
  csat_request?: boolean;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Minutes between the resolution of a ticket and that mail.',
    example: 60,
  })
  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(MAX_CSAT_DELAY_MINUTES)
  csat_delay_minutes?: number;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'Whoever writes in by mail, portal or chat is told by mail that the ticket is there.',
    example: true,
  })
  @IfGiven()
  @IsBoolean()
  mail_ticket_received?: boolean;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'They are told by mail when it is resolved, too.',
    example: false,
  })
  @IfGiven()
  @IsBoolean()
  mail_ticket_resolved?: boolean;

  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    description: 'Name that mail is sent under; that of the mail account unless given.',
    example: 'Acme Support',
  })
  @IfPresent()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SENDER_NAME)
  @IsNotBlank()
  mail_from_name?: string | null;

  @ApiProperty({
    type: 'string',
    format: 'email',
    required: false,
    nullable: true,
    description:
      'Where answers go to mail that names no other address for them; that of the mail account unless given.',
    example: 'help@acme.example',
  })
  @IfPresent()
  @IsString()
  @MaxLength(254)
  @IsEmail()
  mail_reply_to?: string | null;

  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    description:
      'What stands below mail to customers: replies, requests for a rating, quotes, meetings. Markdown; what automations write is sent as written.',
    example: 'Acme Support · +49 30 901820',
  })
  @IfPresent()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_SIGNATURE)
  @IsNotBlank()
  mail_signature?: string | null;

  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    pattern: COLOUR.source,
    description:
      'Colour of buttons and stripes on public pages, documents and mails, as `#rrggbb`. Text on it is white or black, and links are that colour as much darker or lighter as they need to be, so that everything can be read.',
    example: '#0b6e4f',
  })
  @IfPresent()
  @IsString()
  @Matches(COLOUR)
  brand_color?: string | null;

  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    description: 'Postal address, line by line, on public pages, documents and mails.',
    example: 'Acme GmbH\nTorstraße 1\n10119 Berlin',
  })
  @IfPresent()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_POSTAL_ADDRESS)
  @IsNotBlank()
  brand_address?: string | null;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    required: false,
    nullable: true,
    description: 'Address on the web, beside the postal one.',
    example: 'https://acme.example',
  })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_WEBSITE)
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  brand_website?: string | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    description:
      'Days after closing in which tickets are kept; then they are deleted, with all that belongs to them. null = they are kept for ever. Needs the permission `workspace.retention`.',
    example: 730,
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  retention_ticket_days?: number | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    description:
      'Days after closing after which tickets become anonymous: who asked and what was said goes, everywhere; dates, times, statuses, tags and scores stay. null = never. Needs the permission `workspace.retention`.',
    example: 365,
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  retention_anonymise_days?: number | null;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    description:
      'Days that the logs of the workspace are kept, where the installation keeps them longer: audit log, deliveries of webhooks, logs of integrations, runs of automations, sent mail. null = as long as the installation keeps them. Needs the permission `workspace.retention`.',
    example: 90,
  })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_RETENTION_DAYS)
  retention_log_days?: number | null;

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Tickets with this tag are kept all the same. Needs the permission `workspace.retention`.',
    example: 'legal-hold',
  })
  @IfGiven()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TAG)
  @IsSomeTag()
  @Matches(/^[^,]*$/, { message: '"retention_hold_tag" must be one tag, without a comma.' })
  retention_hold_tag?: string;
}

/** The same as plain data. */
export type Settings = Pick<WorkspaceSettings, keyof WorkspaceSettings>;

/** What holds until it is set: who reads a setting means the same by its absence. */
export const UNSET: Required<Settings> = {
  auto_close_days: 7,
  reopen_window_days: null,
  auto_start_on_assign: false,
  csat_request: false,
  csat_delay_minutes: 0,
  mail_ticket_received: false,
  mail_ticket_resolved: false,
  mail_from_name: null,
  mail_reply_to: null,
  mail_signature: null,
  brand_color: null,
  brand_address: null,
  brand_website: null,
  retention_ticket_days: null,
  retention_anonymise_days: null,
  retention_log_days: null,
  retention_hold_tag: 'legal-hold',
};

/**
 * Settings as they are to be stored: the stored ones, and those of the given ones that say something else than what holds. A record
 * that is sent back as it was read changes nothing. The tag that holds is written as those of tickets are, or it would hold none.
 */
export function withSettings(stored: Settings, given: Settings): Settings {
  const holding: Readonly<Record<string, unknown>> = { ...UNSET, ...stored };
  const said = Object.entries(given).filter(([name, value]) => canonical(value) !== canonical(holding[name]));
  const next: Settings = { ...stored, ...Object.fromEntries(said) };
  const { retention_hold_tag: tag } = next;
  return tag === undefined || tag === stored.retention_hold_tag
    ? next
    : { ...next, retention_hold_tag: normaliseTags(tag) };
}

/** Whether what is to be stored says something else of how long things are kept. */
export function changesRetention(stored: Settings, next: Settings): boolean {
  const says = (settings: Settings): string => {
    const rules = Object.entries({ ...UNSET, ...settings }).filter(([name]) => name.startsWith('retention_'));
    return canonical(Object.fromEntries(rules));
  };
  return says(stored) !== says(next);
}
