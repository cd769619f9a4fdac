import type { FieldSpec } from './condition';

/** The fields that conditions may name: listed ones, and families such as `custom_fields.<anything>`. */
export class FieldSet {
  /**
   * @param fields name to specification
   * @param families prefix (with its dot) to the specification of every name that begins with it
   */
  constructor(
    private readonly fields: ReadonlyMap<string, FieldSpec>,
    private readonly families: ReadonlyMap<string, FieldSpec> = new Map(),
    private readonly alias: (name: string) => string = (name) => name,
  ) {}

  /** The field of that name, or undefined. */
  get(name: string): FieldSpec | undefined {
    return this.own(name) ?? this.own(this.alias(name));
  }

  /** The same fields, which may also be named otherwise: `alias` makes the name here of any other. */
  aliased(alias: (name: string) => string): FieldSet {
    return new FieldSet(this.fields, this.families, alias);
  }

  /** Whether the field is known by that very name. */
  has(name: string): boolean {
    return this.own(name) !== undefined;
  }

  private own(name: string): FieldSpec | undefined {
    const known = this.fields.get(name);
    if (known) return known;
    for (const [prefix, spec] of this.families) {
      const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      if (rest !== '' && rest.length <= 64) return spec;
    }
    return undefined;
  }

  /** Every name, families as `custom_fields.<key>`. */
  names(): string[] {
    return [...this.entries()].map(([name]) => name);
  }

  *entries(): Iterable<readonly [string, FieldSpec]> {
    yield* this.fields;
    for (const [prefix, spec] of this.families) yield [`${prefix}<key>`, spec];
  }

  /** These fields and those of `other`; `other` wins. */
  with(other: FieldSet): FieldSet {
    return new FieldSet(new Map([...this.fields, ...other.fields]), new Map([...this.families, ...other.families]));
  }

  /** The same fields as `<prefix>.<field>`. */
  under(prefix: string): FieldSet {
    const moved = (map: ReadonlyMap<string, FieldSpec>): Map<string, FieldSpec> =>
      new Map([...map].map(([name, spec]) => [`${prefix}.${name}`, spec]));
    return new FieldSet(moved(this.fields), moved(this.families));
  }
}
