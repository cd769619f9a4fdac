/** What a custom field can hold. */
export const FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'select', 'multi_select', 'reference'] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** One of the values of a `select` or `multi_select`: records keep `value`, which never changes; people read `label`. */
export interface Option {
  value: string;
  label: string;
  /** False: records that have it keep it, no other gets it. True unless given. */
  is_active?: boolean;
}

/** A custom field as a workspace has defined it: what the values under one key of `custom_fields` must be. */
export interface FieldDefinition {
  key: string;
  label: string;
  description: string | null;
  type: FieldType;
  options: readonly Option[];
  /** Name of the resource that a reference points to. */
  target: string | null;
  is_required: boolean;
  /** What a new record has without a word; null = nothing. */
  default_value: unknown;
  /** RE2 expression that must occur in a text. */
  pattern: string | null;
  /** Whether pages, documents, mail and exports for customers show it. */
  visible_to_customers: boolean;
}

/** The definitions in force, by the singular name of the records that have them, in their order. */
export type FieldBook = ReadonlyMap<string, readonly FieldDefinition[]>;

/** The member of records that has them. */
export const CUSTOM_FIELDS = 'custom_fields';

/** Before the key, wherever lists, conditions and errors name a custom field. */
export const FIELD_PREFIX = 'custom_fields.';

/** Name of a field in lists, conditions and errors. */
export function fieldPath({ key }: Pick<FieldDefinition, 'key'>): string {
  return FIELD_PREFIX + key;
}

/** Whether a value says that there is none: such values are not kept. */
export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
