import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config';
import { plugins } from './plugins';
import { documentOfRun } from './document';

interface Response {
  $ref?: string;
  headers?: object;
  content?: Record<string, { schema?: { anyOf?: { $ref?: string }[] } }>;
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { responses: Record<string, Response> };
}

/** What came back, as far as the document speaks of it. */
interface Seen {
  status: number;
  text: string;
  header(name: string): string | null;
}

interface Operation {
  name: string;
  matches: RegExp;
  slots: number;
  responses: Record<string, Response>;
  /** Where the operation stands in the document. */
  place: string;
}

const PREFIX = '/v1';
const PROBLEM = 'application/problem+json';
/** Headers that a client acts on, beside ETag and Link. */
const LEADING = ['Content-Range', 'Location'];
/** Of answers; what else the document calls a format is left alone. */
const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z\d+.-]*:\S+$/i,
};

/** Whether operations leave an error to `default`: those that they name one by one they must name. */
const isLeft = (status: number): boolean => status >= 400 && ![401, 404, 409, 412, 422, 429].includes(status);

interface Loaded {
  document: Document;
  ajv: Ajv2020;
  operations: Map<string, Operation[]>;
}

let loaded: Promise<Loaded> | undefined;
const compiled = new Map<string, ValidateFunction>();

/**
 * What is wrong with an answer according to the OpenAPI document: its status, its media type or its body; null when nothing
 * is, or when the request is to nothing that is documented. An answer without `fields` (and without a view, which may name columns) must be whole: the sparse alternative
 * does not count for it. Each schema is compiled when it is first needed, once for each worker.
 */
export async function departureOf(method: string, url: URL, answer: Seen): Promise<string | null> {
  const document = await (loaded ??= load());
  const operation = operationOf(document, method, url.pathname);
  const wrong = operation
    ? problemOf(
        document,
        operation,
        ['fields', 'view'].some((name) => url.searchParams.has(name)),
        answer,
      )
    : null;
  return wrong === null
    ? null
    : `${operation?.name ?? ''} answers ${answer.status}, which the OpenAPI document ${wrong}`;
}

/** What is wrong with an event according to the body that webhooks are sent of its kind; null when nothing is. */
export async function eventDeparture(event: { data: { object: string } }): Promise<string | null> {
  const { ajv } = await (loaded ??= load());
  const validate = validatorOf(
    ajv,
    `#/webhooks/${event.data.object}/post/requestBody/content/application~1json/schema`,
  );
  return validate(event) ? null : wrongOf(validate, JSON.stringify(event));
}

function problemOf(
  { document, ajv }: Loaded,
  { responses, place }: Operation,
  sparse: boolean,
  answer: Seen,
): string | null {
  const { status, text } = answer;
  const range = `${Math.floor(status / 100)}XX`;
  const key = [String(status), range, ...(isLeft(status) ? ['default'] : [])].find((each) => each in responses);
  if (key === undefined) return 'does not know';
  const { $ref } = responses[key] ?? {};
  const { content, headers = {} } = resolved(document, responses[key]) ?? {};
  const untold = LEADING.find((name) => answer.header(name) !== null && !(name in headers));
  if (untold !== undefined) return `tells without the header ${untold}`;
  if (!content) return text === '' ? null : `tells without a body: ${text.slice(0, 300)}`;
  const [type = ''] = (answer.header('content-type') ?? '').split(';');
  // What the error says with it is what it says without: the description of the schema.
  if (type === PROBLEM && status >= 400) return null;
  const { schema } = content[type] ?? content['*/*'] ?? {};
  if (!schema) return `tells as ${Object.keys(content).join(', ')}, not as ${type}`;
  if (!/[/+]json$/.test(type) || answer.header('content-encoding') !== null) return null;
  const whole = !sparse && schema.anyOf?.[1]?.$ref?.includes('/Sparse') ? '/anyOf/0' : '';
  const validate = validatorOf(ajv, `${$ref ?? `${place}/responses/${key}`}/content/${escaped(type)}/schema${whole}`);
  if (validate(JSON.parse(text))) return null;
  return wrongOf(validate, text);
}

function wrongOf({ errors }: ValidateFunction, text: string): string {
  const [error] = errors ?? [];
  return `tells otherwise: ${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}; it is ${text.slice(0, 500)}`;
}

function validatorOf(ajv: Ajv2020, pointer: string): ValidateFunction {
  let validate = compiled.get(pointer);
  if (!validate) compiled.set(pointer, (validate = ajv.compile({ $ref: `helpdesk${pointer}` })));
  return validate;
}

function operationOf({ operations }: Loaded, method: string, pathname: string): Operation | undefined {
  if (!pathname.startsWith(`${PREFIX}/`)) return undefined;
  const path = pathname.slice(PREFIX.length).replace(/\/$/, '');
  return operations.get(shapeOf(method, path))?.find(({ matches }) => matches.test(path));
}

/** Of the core the committed document, which a spec holds equal; with plug-ins theirs is part of it. */
async function load(): Promise<Loaded> {
  const document = (
    plugins?.length ? await documentOfRun() : JSON.parse(readFileSync(join(projectRoot, 'docs/openapi.json'), 'utf8'))
  ) as Document;
  // Validators are made for a few answers each: to optimise them takes longer than it saves.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, formats: FORMATS, logger: false, validateSchema: false, code });
  ajv.addSchema({ ...document, $id: 'helpdesk' });
  return { document, ajv, operations: operationsOf(document) };
}

/** Operations by method and number of segments, the ones with the fewest parameters first. */
function operationsOf({ paths }: Document): Map<string, Operation[]> {
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, part]): [string, Operation][] => {
      if (!('responses' in part)) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const matches = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const place = `#/paths/${escaped(path)}/${method}`;
      const slots = path.split('{').length;
      return [[shapeOf(method, path), { name, matches, slots, responses: part.responses, place }]];
    }),
  );
  const operations = new Map<string, Operation[]>();
  for (const [shape, operation] of found.sort(([, a], [, b]) => a.slots - b.slots))
    operations.set(shape, [...(operations.get(shape) ?? []), operation]);
  return operations;
}

function shapeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.split('/').length}`;
}

function resolved({ components }: Document, response: Response | undefined): Response | undefined {
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : components.responses[name];
}

/** A member's name as part of a JSON pointer in a URL. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
