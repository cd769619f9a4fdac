import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';
import { Transform } from 'class-transformer';
import { Column, type ColumnOptions } from 'typeorm';
import { withoutUnseen } from '../text/unseen';
import { presenceOf } from '../validation/presence';
import { IsShaped, type Shape } from '../validation/shapes';
import { type ColumnKind, type ColumnSettings, type ColumnSpec, recordColumn, yieldedKind } from './column-spec';
import { IsNotBlank } from './not-blank';
import { IsDay, IsDecimal, IsTags, isIsoTimestamp, tagsSchema } from './column-validators';

/** Eleven digits before the point and four behind it: a JSON number holds them exactly enough to give them back. */
export const MAX_DECIMAL = 99_999_999_999;

interface Ingredients {
  kind: ColumnKind;
  orm: ColumnOptions;
  rules?: PropertyDecorator[];
  api: ApiPropertyOptions;
  extra?: Partial<ColumnSpec>;
}

function column(settings: ColumnSettings, { kind, orm, rules = [], api, extra }: Ingredients): PropertyDecorator {
  const nullable = settings.nullable ?? false;
  const fallback = settings.default ?? (nullable ? null : undefined);
  return (prototype, key) => {
    const name = String(key);
    recordColumn(prototype, {
      name,
      kind,
      nullable,
      required: settings.required ?? false,
      default: fallback,
      readOnly: settings.readOnly ?? false,
      ...(settings.untold ? { untold: true } : {}),
      ...(settings.shownAs ? { sql: settings.shownAs } : {}),
      ...extra,
      ...(extra?.unset
        ? { sql: (alias: string) => `('${JSON.stringify(extra.unset)}'::jsonb || ${alias}.${name})` }
        : {}),
    });
    if (kind !== 'computed') Column({ ...orm, name, nullable })(prototype, key);
    const present = (_: object, value: unknown): boolean => value !== undefined && !(nullable && value === null);
    ValidateIf(present)(prototype, key);
    for (const rule of rules) rule(prototype, key);
    ApiProperty({
      ...api,
      ...presenceOf(api, settings.required ?? false),
      ...(nullable ? { nullable: true } : {}),
      ...(settings.description ? { description: settings.description } : {}),
      ...(settings.example === undefined ? {} : { example: settings.example }),
      ...(settings.readOnly ? { readOnly: true } : {}),
      ...(fallback === undefined || fallback === null || settings.readOnly ? {} : { default: fallback }),
    } as ApiPropertyOptions)(prototype, key);
  };
}

/** Text of at most `max` characters; trimmed; `pattern` is checked after trimming. */
export function StringColumn(
  settings: ColumnSettings &
    Pick<ColumnSpec, 'written'> & { max: number; min?: number; pattern?: RegExp; trim?: boolean },
): PropertyDecorator {
  const { max, min = settings.required ? 1 : 0, pattern, written } = settings;
  const rules: PropertyDecorator[] = [IsString(), MaxLength(max)];
  if (min > 0) rules.push(MinLength(min), IsNotBlank());
  if (pattern) rules.push(Matches(pattern));
  if (settings.trim !== false) {
    rules.push(Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)));
  }
  return column(settings, {
    kind: 'string',
    orm: { type: 'text' },
    rules,
    api: {
      type: 'string',
      maxLength: max,
      ...(min > 0 ? { minLength: min } : {}),
      ...(pattern ? { pattern: pattern.source } : min > 0 ? { pattern: '\\S' } : {}),
    },
    extra: written ? { written } : {},
  });
}

/** Long text (Markdown), kept exactly as sent. */
export function TextColumn(settings: ColumnSettings & { max: number; min?: number }): PropertyDecorator {
  return StringColumn({ ...settings, trim: false });
}

/** An e-mail address, lower-cased. */
export function EmailColumn(settings: ColumnSettings = {}): PropertyDecorator {
  return column(settings, {
    kind: 'email',
    orm: { type: 'text' },
    rules: [
      Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
      IsString(),
      MaxLength(254),
      IsEmail(),
    ],
    api: { type: 'string', format: 'email', maxLength: 254 },
    extra: { written: (address) => address.trim().toLowerCase() },
  });
}

export function IntegerColumn(settings: ColumnSettings & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = -2_147_483_648, max = 2_147_483_647 } = settings;
  return column(settings, {
    kind: 'integer',
    orm: { type: 'integer' },
    rules: [IsInt(), Min(min), Max(max)],
    api: {
      type: 'integer',
      ...(settings.min === undefined ? {} : { minimum: min }),
      ...(settings.max === undefined ? {} : { maximum: max }),
    },
  });
}

/**
 * A decimal number, exact in the database (`numeric`) and a JSON number outside. The default bounds are what a JSON
 * number can carry with four decimals.
 *
 * @param settings.decimals most digits behind the point
 */
export function DecimalColumn(
  settings: ColumnSettings & { min?: number; max?: number; decimals?: number } = {},
): PropertyDecorator {
  const { min = -MAX_DECIMAL, max = MAX_DECIMAL, decimals = 4 } = settings;
  return column(settings, {
    kind: 'number',
    orm: { type: 'numeric' },
    rules: [IsDecimal(decimals), Min(min), Max(max)],
    api: { type: 'number', minimum: min, maximum: max },
  });
}

export function BooleanColumn(settings: ColumnSettings = {}): PropertyDecorator {
  return column(settings, {
    kind: 'boolean',
    orm: { type: 'boolean' },
    rules: [IsBoolean()],
    api: { type: 'boolean' },
  });
}

/** One of a closed list; text with a CHECK in the database. */
export function EnumColumn(values: readonly string[], settings: ColumnSettings = {}): PropertyDecorator {
  return column(settings, {
    kind: 'enum',
    orm: { type: 'text' },
    rules: [IsIn(values)],
    api: { type: 'string', enum: values as string[] },
    extra: { values },
  });
}

/** ISO 8601 in, ISO 8601 UTC with milliseconds and `Z` out. */
export function TimestampColumn(settings: ColumnSettings = {}): PropertyDecorator {
  return column(settings, {
    kind: 'timestamp',
    orm: { type: 'timestamptz', precision: 3 },
    rules: [IsString(), isIsoTimestamp()],
    api: { type: 'string', format: 'date-time' },
  });
}

/** A calendar day, `YYYY-MM-DD`. */
export function DateColumn(settings: ColumnSettings = {}): PropertyDecorator {
  return column(settings, {
    kind: 'date',
    orm: { type: 'date' },
    rules: [IsString(), IsDay()],
    api: { type: 'string', format: 'date' },
  });
}

/** Id of a record of another resource in the same workspace; a composite foreign key stands behind it. */
export function ReferenceColumn(resource: string, settings: ColumnSettings = {}): PropertyDecorator {
  return column(settings, {
    kind: 'reference',
    orm: { type: 'bigint' },
    rules: [IsInt(), Min(1), Max(Number.MAX_SAFE_INTEGER)],
    api: { type: 'integer', format: 'int64' },
    extra: { references: resource },
  });
}

/** Id of what no foreign key holds: of several kinds, or gone by now. */
export const LooseIdColumn = (settings: ColumnSettings): PropertyDecorator =>
  column(settings, { kind: 'integer', orm: { type: 'bigint' }, api: { type: 'integer', format: 'int64' } });

/** Ids of records of another resource; their existence is checked by the service. */
export function ReferencesColumn(
  resource: string,
  settings: ColumnSettings & { max?: number } = {},
): PropertyDecorator {
  return column(
    { ...settings, default: settings.default ?? [] },
    {
      kind: 'references',
      orm: { type: 'bigint', array: true },
      rules: [
        IsArray(),
        ArrayMaxSize(settings.max ?? 100),
        IsInt({ each: true }),
        Min(1, { each: true }),
        Max(Number.MAX_SAFE_INTEGER, { each: true }),
      ],
      api: { type: 'array', items: { type: 'integer', format: 'int64' } },
      extra: { references: resource },
    },
  );
}

/** A list of short texts, without what nobody sees in them. `lowerCase` folds them. */
export function StringsColumn(
  settings: ColumnSettings & {
    maxItems: number;
    maxLength: number;
    pattern?: RegExp;
    email?: boolean;
    lowerCase?: boolean;
  },
): PropertyDecorator {
  const clean = (item: unknown): unknown => {
    if (typeof item !== 'string') return item;
    const shown = withoutUnseen(item).trim();
    return settings.lowerCase ? shown.toLowerCase() : shown;
  };
  const rules: PropertyDecorator[] = [
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(clean) : value)),
    IsArray(),
    ArrayMaxSize(settings.maxItems),
    ArrayUnique(),
    IsString({ each: true }),
    MinLength(1, { each: true }),
    MaxLength(settings.maxLength, { each: true }),
  ];
  if (settings.pattern) rules.push(Matches(settings.pattern, { each: true }));
  if (settings.email) rules.push(IsEmail({}, { each: true }));
  return column(
    { ...settings, default: settings.default ?? [] },
    {
      kind: 'strings',
      orm: { type: 'text', array: true },
      rules,
      api: { type: 'array', items: { type: 'string', maxLength: settings.maxLength }, maxItems: settings.maxItems },
    },
  );
}

/** Comma-separated string out; string or array in (decision 3). */
export function TagsColumn(settings: ColumnSettings = {}): PropertyDecorator {
  const tags: Ingredients = { kind: 'tags', orm: { type: 'text' }, rules: [IsTags()], api: tagsSchema };
  return column({ ...settings, default: '' }, tags);
}

/** JSON: pass its shape, or its validators and schema; `shown` or `unset` where answers have another schema than bodies. */
export function JsonColumn(
  settings: ColumnSettings &
    Pick<ColumnSpec, 'shown' | 'unset'> & { shape?: Shape; rules?: PropertyDecorator[]; api?: ApiPropertyOptions },
): PropertyDecorator {
  const { shape, rules = [shape ? IsShaped(shape) : IsObject()], shown, unset } = settings;
  const api = settings.api ?? shape?.api ?? { type: 'object', additionalProperties: true };
  const extra = { ...(shown ? { shown } : {}), ...(unset ? { unset } : {}) };
  return column(settings, { kind: 'json', orm: { type: 'jsonb' }, rules, api, extra });
}

/** A read-only value computed by SQL for each row read. */
export function ComputedColumn(
  api: ApiPropertyOptions,
  sql: (alias: string) => string,
  nullable = false,
): PropertyDecorator {
  const yields = yieldedKind(api);
  const extra = { sql, isList: 'items' in api, ...(yields ? { yields } : {}) };
  return column({ readOnly: true, nullable, untold: true }, { kind: 'computed', orm: {}, api, extra });
}
