import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { buildOpenApiDocument } from '../../src/app';
import { areasOfRun } from './areas';
import type { Answer } from './api';

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Part> }>>;
  components: Record<string, Record<string, unknown>>;
}

interface Part {
  $ref?: string;
  content?: Record<string, { schema?: Part }>;
  anyOf?: Part[];
}

let loaded: Promise<{ document: Document; ajv: Ajv2020 }> | undefined;
const compiled = new Map<string, ValidateFunction>();

/** The document and its validators: made once for each worker, each schema compiled when it is first needed. */
async function load(): Promise<{ document: Document; ajv: Ajv2020 }> {
  const document = (await buildOpenApiDocument(areasOfRun)) as unknown as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  ajv.addSchema({ $id: 'helpdesk', components: document.components });
  return { document, ajv };
}

/**
 * What is wrong with an answer according to the OpenAPI document; null when nothing is. An answer without `fields` must be
 * whole: the sparse alternative does not count for it.
 */
export async function departureOf(
  method: string,
  path: string,
  answer: Answer,
  sparse = false,
): Promise<string | null> {
  loaded ??= load();
  const { document, ajv } = await loaded;
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) return `${method} ${path} is not documented`;
  const resolve = (part: Part | undefined): Part | undefined => {
    const [kind = '', name = ''] = part?.$ref?.split('/').slice(-2) ?? [];
    return part?.$ref ? (document.components[kind]?.[name] as Part) : part;
  };
  const { responses } = operation;
  const given = responses[String(answer.status)];
  if (!given && answer.status < 400) return `${method} ${path} documents no ${answer.status}`;
  const schema = resolve(given ?? responses.default)?.content?.['application/json']?.schema;
  if (!schema) return null;
  const wanted = !sparse && schema.anyOf?.[1]?.$ref?.includes('/Sparse') ? (schema.anyOf[0] ?? schema) : schema;
  const text = JSON.stringify(wanted).replaceAll('"#/components/', '"helpdesk#/components/');
  let validate = compiled.get(text);
  if (!validate) compiled.set(text, (validate = ajv.compile(JSON.parse(text) as object)));
  if (validate(answer.body)) return null;
  const [error] = validate.errors ?? [];
  return `${method} ${path} ${answer.status}: ${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}`;
}
