import type { FieldDefinition } from './field-definition';
import { MAX_NUMBER, MAX_PATTERN_TEXT, MAX_TEXT } from './field-value';

/** JSON schema of the values of a field. */
export function fieldSchema(field: FieldDefinition): Record<string, unknown> {
  const { label, description, is_required: isRequired } = field;
  const words = [description, isRequired ? 'Required of new records.' : null].filter((text) => text !== null);
  return { title: label, ...(words.length > 0 ? { description: words.join(' ') } : {}), ...valueSchema(field) };
}

function valueSchema({ type, options, target, pattern }: FieldDefinition): Record<string, unknown> {
  const choice = { type: 'string', enum: options.map(({ value }) => value) };
  switch (type) {
    case 'text':
      return pattern === null
        ? { type: 'string', maxLength: MAX_TEXT }
        : { type: 'string', maxLength: MAX_PATTERN_TEXT, ...(isReadable(pattern) ? { pattern } : {}) };
    case 'number':
      return { type: 'number', minimum: -MAX_NUMBER, maximum: MAX_NUMBER };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'select':
      return choice;
    case 'multi_select':
      return { type: 'array', items: choice, uniqueItems: true };
    case 'reference':
      return { type: 'integer', format: 'int64', minimum: 1, 'x-references': target };
  }
}

/** Schemas speak the regular expressions of JavaScript, which are not quite those of RE2. */
function isReadable(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
