import { documentOfRun } from '../support/document';
import { useHostility } from '../support/hostile';
import { bodyOf } from '../support/isolation';

const stage = useHostility();

/** A schema of the document, with its bounds. */
interface Bounded {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  example?: unknown;
  anyOf?: Bounded[];
  oneOf?: Bounded[];
  allOf?: Bounded[];
  items?: Bounded;
  properties?: Record<string, Bounded>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
}

/** A value at a bound, or one step beyond it. */
interface Trial {
  value: unknown;
  isWithin: boolean;
}

/** A part of a body, its name in errors, and the member of the body with a value in its place. */
interface Place {
  name: string;
  schema: Bounded;
  fill: (value: unknown) => unknown;
}

/** Beyond these a body has more than 1 MiB, or a number is no whole one. */
const MOST = { length: 300_000, items: 10_000, number: 1e15 };
/** How deep parts of bodies are looked into. */
const DEPTH = 3;
/** Codes of values that are too much or too little. */
const BOUNDS = ['max', 'min', 'range', 'size'];
/** What else a body says decides: a percentage ends at 100. */
const DEPENDING = ['/quotes discount.value', '/quotes/{id} discount.value'];

let schemas: Record<string, Bounded>;
beforeAll(async () => {
  schemas = (await documentOfRun()).components?.schemas ?? {};
});

/** A schema with what it refers to, where that is one; null counts for nothing. */
function plain(schema: Bounded = {}): Bounded {
  const { $ref, anyOf = [], oneOf = [], allOf = [], ...own } = schema;
  const branches = [...anyOf, ...oneOf, ...allOf].filter(({ type }) => type !== 'null');
  if ($ref !== undefined) return { ...plain(schemas[$ref.split('/').at(-1) ?? '']), ...own };
  return branches.length === 1 ? { ...plain(branches[0]), ...own } : schema;
}

const typeOf = ({ type }: Bounded): string | undefined => [type].flat().find((each) => each !== 'null');

function trials(schema: Bounded): Trial[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems } = schema;
  const within = (value: unknown): Trial => ({ value, isWithin: true });
  const beyond = (value: unknown): Trial => ({ value, isWithin: false });
  const found: Trial[] = [];
  const type = typeOf(schema);
  if (type === 'string' && !schema.enum) {
    const text = (count: number): string => 'x'.repeat(count);
    if (maxLength !== undefined && maxLength < MOST.length)
      found.push(within(text(maxLength)), beyond(text(maxLength + 1)));
    if (minLength > 0) found.push(beyond(text(minLength - 1)));
  }
  if (type === 'integer' || type === 'number') {
    if (minimum !== undefined && minimum > -MOST.number) found.push(within(minimum), beyond(minimum - 1));
    if (maximum !== undefined && maximum < MOST.number) found.push(within(maximum), beyond(maximum + 1));
  }
  if (type === 'array') {
    const list = (length: number): unknown[] => Array.from({ length }, (_, index) => item(plain(schema.items), index));
    if (maxItems !== undefined && maxItems <= MOST.items)
      found.push(within(list(maxItems)), beyond(list(maxItems + 1)));
    if (minItems > 0) found.push(beyond(list(minItems - 1)));
  }
  if (type === 'object' && schema.maxProperties !== undefined) {
    const map = (size: number): unknown => Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, 'x']));
    found.push(within(map(schema.maxProperties)), beyond(map(schema.maxProperties + 1)));
  }
  return found;
}

function item(schema: Bounded, index: number): unknown {
  const type = typeOf(schema);
  if (schema.enum) return schema.enum[index % schema.enum.length];
  if (type === 'integer' || type === 'number') return index + (schema.minimum ?? 0);
  if (type === 'string') return schema.format === 'email' ? `a${index}@b.example` : `x${index}`;
  return type === 'array' ? [] : {};
}

function sample(schema: Bounded, depth = DEPTH): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  const members = (schema.required ?? []).map((name) => [name, sample(plain(schema.properties?.[name]), depth - 1)]);
  const samples: Readonly<Record<string, unknown>> = {
    object: depth > 0 ? Object.fromEntries(members) : {},
    array: [],
    integer: Math.max(1, schema.minimum ?? 1),
    number: Math.max(1, schema.minimum ?? 1),
    boolean: true,
  };
  return samples[typeOf(schema) ?? ''] ?? 'x';
}

function places(name: string, schema: Bounded, fill: Place['fill'], depth: number): Place[] {
  const own = { name, schema, fill };
  if (depth === 0) return [own];
  const whole = sample(schema);
  const members = Object.entries(schema.properties ?? {}).flatMap(([member, part]) =>
    places(
      `${name}.${member}`,
      plain(part),
      (value) => fill({ ...(typeof whole === 'object' ? whole : {}), [member]: value }),
      depth - 1,
    ),
  );
  const items = schema.items ? places(`${name}[0]`, plain(schema.items), (value) => fill([value]), depth - 1) : [];
  return [own, ...members, ...items];
}

it('each bound that the document says of a part of a body is that of the service', async () => {
  const wrong: string[] = [];
  const met = new Set<string>();
  for (const operation of stage.writes()) {
    const body = bodyOf(operation, stage.own);
    // A change takes what the creation takes, by the same rules.
    const list = operation.path.split('/{')[0] ?? '';
    for (const [field, schema] of Object.entries(operation.body?.properties ?? {})) {
      for (const { name, schema: part, fill } of places(field, plain(schema), (value) => value, DEPTH)) {
        for (const { value, isWithin } of trials(part)) {
          const key = `${list} ${name} ${JSON.stringify(value).length} ${isWithin}`;
          if (met.size === met.add(key).size) continue;
          const answer = await stage.send(operation, '', JSON.stringify({ ...body, [field]: fill(value) }));
          // An error names the part, or what it is in.
          const codes = Object.entries(answer.status === 422 ? answer.codes : {}).flatMap(([told, code]) => {
            const about = told.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
            return about.startsWith(name) || (!isWithin && name.startsWith(about)) ? [code] : [];
          });
          const isRight = isWithin ? !codes.some((code) => BOUNDS.includes(code)) : codes.length > 0;
          if (!isRight && !DEPENDING.includes(`${operation.path} ${name}`))
            wrong.push(`${operation.method} ${operation.path} ${name} ${key}: ${answer.text.slice(0, 300)}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(met.size).toBeGreaterThan(1_500);
});

it('each list of a body has an end', () => {
  const endless = stage.writes().flatMap(({ method, path, body }) =>
    Object.entries(body?.properties ?? {}).flatMap(([field, schema]) =>
      places(field, plain(schema), (value) => value, DEPTH)
        .filter(({ schema: part }) => typeOf(part) === 'array' && part.maxItems === undefined)
        // Each of few values once.
        .filter(({ schema: part }) => !(part.uniqueItems && plain(part.items).enum))
        .map(({ name }) => `${method} ${path} ${name}`),
    ),
  );
  expect(endless).toEqual([]);
});
