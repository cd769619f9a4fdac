import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString, Matches, MaxLength, MinLength, ValidateBy } from 'class-validator';
import { Entity } from 'typeorm';
import { BooleanColumn, EnumColumn, IntegerColumn, JsonColumn, StringColumn } from '../../platform/columns/columns';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { FIELD_TYPES, type FieldType } from '../../platform/fields/field-definition';
import { MAX_CHOICES, MAX_TEXT } from '../../platform/fields/field-value';
import { LAST_PLACE } from '../../platform/resource/last-place';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { MAX_PATTERN } from '../../platform/text/pattern';
import { IfGiven, listOf, objectOf } from '../../platform/validation/shapes';

const nullable = true;

const MAX_OPTIONS = 200;
/** What stands in addresses, in lists with commas and at the head of tables. */
const WORD = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** One of the values that a `select` or `multi_select` can have. */
export class FieldOption {
  @ApiProperty({
    type: 'string',
    required: true,
    minLength: 1,
    maxLength: 64,
    pattern: WORD.source,
    example: 'south',
    description: 'What records keep. To change it is to take this option away and to add another.',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(64)
  @Matches(WORD)
  value: string;

  @ApiProperty({ type: 'string', required: true, minLength: 1, maxLength: 120, pattern: '\\S', example: 'South wing' })
  @IsString()
  @MinLength(1)
  @MaxLength(120)
  @IsNotBlank()
  label: string;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: 'False: records that have it keep it, no other gets it.',
  })
  @IfGiven()
  @IsBoolean()
  is_active?: boolean;
}

/** What a new record has without a word. */
export type FieldDefault = string | number | boolean | string[] | null;

/** What is under one key of `custom_fields` of one kind of record. */
@Entity('custom_fields')
export class CustomField extends ResourceEntity {
  @StringColumn({
    required: true,
    max: 64,
    example: 'ticket',
    description:
      'What has it, as events and conditions call it: `ticket`, `company`, `contact`, `user`, `asset`, `deal`, `lead`, `quote`, `kb_article`, `meeting` and whatever else can be listed by views. Fixed.',
  })
  object: string;

  @StringColumn({
    required: true,
    max: 64,
    pattern: WORD,
    example: 'cost_center',
    description: 'Its key in `custom_fields`; records that have it already keep their values. Fixed.',
  })
  key: string;

  @StringColumn({ required: true, max: 120, example: 'Cost center' })
  label: string;

  @StringColumn({ max: 1_000, nullable, description: 'Help for whoever fills it in.' })
  description: string | null;

  @EnumColumn(FIELD_TYPES, { required: true, example: 'text', description: 'Fixed.' })
  type: FieldType;

  @JsonColumn({
    shape: listOf(objectOf(FieldOption), { max: MAX_OPTIONS, of: 'options' }),
    default: [],
    description:
      'Of `select` and `multi_select`: the values, in their order. One that records have cannot be taken away, only made inactive.',
  })
  options: FieldOption[];

  @StringColumn({
    max: 64,
    min: 1,
    nullable,
    description: 'Of `reference`: the list that it points to, e.g. `users` or `assets`. Fixed.',
  })
  target: string | null;

  @BooleanColumn({
    default: false,
    description:
      'Who creates a record must give it, and nobody can empty it. Records that come of mail, of automations or with other records go without.',
  })
  is_required: boolean;

  @JsonColumn({
    nullable,
    rules: [IsFieldDefault()],
    api: {
      anyOf: [
        { type: 'string', maxLength: MAX_TEXT },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'array', items: { type: 'string' }, maxItems: MAX_CHOICES },
      ],
    },
    description: 'What a new record has without a word; not of `reference`.',
  })
  default_value: FieldDefault;

  @StringColumn({
    max: MAX_PATTERN,
    min: 1,
    nullable,
    trim: false,
    description:
      'Of `text`: an RE2 expression that must occur in it; `^` and `$` are its ends. Texts then have at most 1,000 characters.',
  })
  pattern: string | null;

  @BooleanColumn({
    default: false,
    description:
      'Whether customers are shown it: by pages, mail, documents and exports for them, and by portals and forms that ask. What is not visible is shown to none of them.',
  })
  visible_to_customers: boolean;

  @IntegerColumn({ min: 0, max: LAST_PLACE, description: 'Lower stands first; last unless given.' })
  position: number;

  @BooleanColumn({
    default: true,
    description: 'False: the key is as if it had never been defined; values stay and are checked no more.',
  })
  is_active: boolean;
}

/** Whether a value can be a default at all. */
export function isFieldDefault(value: unknown): value is NonNullable<FieldDefault> {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

function IsFieldDefault(): PropertyDecorator {
  return ValidateBy({
    name: 'isFieldDefault',
    validator: {
      validate: isFieldDefault,
      defaultMessage: () => 'default_value must be a text, a number, true or false, or a list of texts',
    },
  });
}
