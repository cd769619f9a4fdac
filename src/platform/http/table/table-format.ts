/** What a list can be answered as, beside JSON, by its media type. */
export const TABLE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A table as a client wants it. */
export interface TableFormat {
  kind: keyof typeof TABLE_TYPES;
  /** Begin with a byte order mark, by which some programs know UTF-8; CSV alone (`text/csv; bom=true`). */
  hasBom: boolean;
  /** Begin with the names of the columns; false for `text/csv; header=absent` (RFC 4180). */
  hasHeader: boolean;
}

/** One range of an `Accept` header. */
interface Range {
  type: string;
  weight: number;
  parameters: ReadonlyMap<string, string>;
}

const JSON_TYPE = 'application/json';

/**
 * The table that `Accept` prefers to JSON; null when it prefers JSON, likes both the same, or names no table. As everywhere, who
 * accepts nothing that there is gets JSON, not a 406.
 */
export function tableFormatOf(accept: string | undefined): TableFormat | null {
  // Nearly every request ends here.
  if (accept === undefined || !/csv|spreadsheetml/i.test(accept)) return null;
  const ranges = accept.split(',').map(rangeOf);
  let best = likingOf(JSON_TYPE, ranges);
  let chosen: TableFormat | null = null;
  for (const kind of ['csv', 'xlsx'] as const) {
    const liking = likingOf(TABLE_TYPES[kind], ranges);
    if (liking.weight === 0 || !isMore(liking, best)) continue;
    best = liking;
    chosen = {
      kind,
      hasBom: /^(true|1)$/.test(liking.parameters.get('bom') ?? ''),
      hasHeader: liking.parameters.get('header') !== 'absent',
    };
  }
  return chosen;
}

type Liking = Omit<Range, 'type'> & { precision: number };

/** What the most precise range that covers a type says of it; a weight of 0 when none does. */
function likingOf(type: string, ranges: readonly Range[]): Liking {
  const [family = ''] = type.split('/');
  const covers = ['*/*', `${family}/*`, type];
  let found: Liking = { weight: 0, precision: -1, parameters: new Map() };
  for (const range of ranges) {
    const precision = covers.indexOf(range.type);
    if (precision > found.precision) found = { ...range, precision };
  }
  return found;
}

/** Of what is liked the same, that which was named. */
function isMore(one: Liking, other: Liking): boolean {
  return one.weight > other.weight || (one.weight === other.weight && one.precision > other.precision);
}

function rangeOf(text: string): Range {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase());
  const parameters = new Map(
    rest.map((parameter): [string, string] => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return [name.trim(), value.trim().replaceAll('"', '')];
    }),
  );
  const given = Number(parameters.get('q') ?? 1);
  return { type, weight: given >= 0 && given <= 1 ? given : 0, parameters };
}
