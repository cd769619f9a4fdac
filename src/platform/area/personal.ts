/** What takes the place of a text that is erased. */
export const ERASED = '[erased]';

/** What takes the place of an address: no mail ever reaches it (RFC 2606). */
export const ERASED_ADDRESS = 'erased@erased.invalid';

/** The value that a column or member is given instead of what it said. */
export type Instead = string | number | boolean | null | readonly [] | Readonly<Record<string, string | null>>;

/** SQL of what a person is known by, for conditions. */
export interface PersonSql {
  /** The id of the contact, bigint. */
  contact: string;
  /** The addresses, lower-case, text[]. */
  emails: string;
}

/** Records of a kind that belong to a person; `r` is the row in all SQL. */
export interface OwnRecords {
  /** Singular name, by which copies tell what they are about. */
  object: string;
  /** SQL condition. A record that was found once stays the person's, whatever it says afterwards. */
  of: (person: PersonSql) => string;
  /** What the person said, or is called: columns with what they are given instead. None: names are looked for in it, and no more. */
  erase?: Readonly<Record<string, Instead>>;
  /** Members that copies of the record lose besides. */
  inCopies?: Readonly<Record<string, Instead>>;
  /** Members that copies of the record, and what its events relate to, lose where it was made anonymous without anybody being erased: what leads to a person. */
  anonymise?: Readonly<Record<string, Instead>>;
  /** Members that records without an id lose which events of it relate to, by their name there. */
  inRelated?: Readonly<Record<string, Readonly<Record<string, Instead>>>>;
  /** Columns with names of the person, as they were called there. */
  names?: readonly string[];
}

/** What a record is about: SQL of the kind (singular name) and of the id; or SQL of a JSON object whose members are records with an id, by kind. */
export type About = { object: string; id: string } | { members: string };

/** A row that is being looked at, and what can be done to its texts. */
export interface PersonalRow {
  /** The columns that were declared; a rule writes what they are to be. */
  readonly values: Record<string, unknown>;
  /** Whether each of the `about` is the person's. */
  readonly about: readonly boolean[];
  /** The members of `about` that are. */
  readonly members: readonly string[];
  /** Nobody in particular is erased: records are made anonymous, whoever they are of. */
  readonly isAnonymous: boolean;
  /** Whether a text has the person in it. */
  readonly mentions: (text: unknown) => boolean;
  /** The row goes. */
  readonly drop: () => void;
  /** What records of a kind lose, by member; or (`ticket.rating`) what they lose that their events relate to. */
  readonly losses: (object: string) => Readonly<Record<string, Instead>>;
}

/**
 * What one table holds of people, and how it is erased. Every column of texts or JSON has its place here: a test looks for those
 * that have none. Columns of rows about somebody else lose the names, addresses and numbers of the person, and nothing more.
 */
export interface PersonalTable {
  table: string;
  /** Columns that tell rows of a workspace apart; `id` unless given. */
  key?: readonly string[];
  /** Columns that may name people: text, text[], json, jsonb. */
  texts?: readonly string[];
  /** Columns that cannot: words of the program, codes, digests. */
  free?: readonly string[];
  /** Columns and tables that PostgreSQL makes of others, and that follow them. */
  derived?: readonly string[];
  /** Columns that only the program can read; a keeper erases them (`Keepers`). */
  sealed?: readonly string[];
  /** The column that holds single words: rows with a word of the person go. */
  words?: string;
  /** Columns of the texts, besides `tags`, that hold tags in this row. */
  tagged?: (values: Readonly<Record<string, unknown>>) => readonly string[];
  own?: OwnRecords;
  about?: readonly About[];
  /** Columns that go where the first of `about` is the person's. */
  erase?: Readonly<Record<string, Instead>>;
  /** Further columns that the rule needs or writes. */
  also?: readonly string[];
  /** What else is to be done to a row, before its texts are looked through. */
  rule?: (row: PersonalRow) => void;
  /** Columns that are made anew of the others (`v`), in SQL. */
  made?: Readonly<Record<string, string>>;
  /** Rows are made by the service of others, and may come later than these. */
  copy?: boolean;
  /** Rows are entries of a log, which a workspace may want to keep for less long than the installation does. */
  log?: LogOfWorkspace;
  /**
   * What of the rows that are the person's, or are about one that is, is told to somebody who asks what is kept of them: all of it
   * unless this is a condition, or false; of copies nothing unless it is one.
   */
  export?: string | false;
}

/** A log with the columns `workspace_id` and `created_at`. `r` is the row in all SQL. */
export interface LogOfWorkspace {
  /** SQL condition: entries that are done with. All unless given. */
  only?: string;
  /** SQL of the id of what an entry may be held with, as retention holds: of a ticket. */
  holder?: string;
}

/** Columns of texts that every resource has. */
export const RESOURCE_TEXTS = ['external_id', 'custom_fields'] as const;
