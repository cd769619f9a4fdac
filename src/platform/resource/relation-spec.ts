/** A relation that `expand` can embed. Resources are named, never imported, so that areas need not know each other. */
export type RelationSpec = ToOne | ToMany | Computed;

interface ToOne {
  one: string;
  /** Column of the record with the id of the other. */
  by: string;
}

interface ToMany {
  many: string;
  /** Column of the others with the id of the record. */
  by: string;
  limit: number;
  order: string;
  where?: (alias: string) => string;
  /** Column of the record that says how many there are: where it is 0, none are looked for. */
  counted?: string;
}

interface Computed {
  sql: (alias: string) => string;
  schema: Record<string, unknown>;
  /** The resource that it shows, and what those get who may not read that. */
  of?: { resource: string; hidden: (alias: string) => string };
}
