/** What a property says of an object whose own `required` names members. */
interface Presence {
  required?: boolean | string[];
  selfRequired?: boolean;
}

/**
 * Whether a property must be there itself, as `@ApiProperty()` takes it: `required` of an inline object names the members of that, and
 * is kept.
 */
export function presenceOf(schema: object, isRequired: boolean): Presence {
  const inner: unknown = 'required' in schema ? schema.required : undefined;
  return Array.isArray(inner)
    ? { required: [...(inner as string[])], selfRequired: isRequired }
    : { required: isRequired };
}
