import { type Document, operationsOf, type Parameter, ref, type Response, schemaName } from './document';
import { canonical } from '../text/json';
import { freeName, pascal } from './naming';

/** Every parameter that two operations have alike becomes a component. */
export function shareParameters(document: Document): void {
  const { parameters } = document.components;
  const uses = new Map<string, { parameter: Parameter; operations: Set<string>; tags: Set<string> }>();
  const inline = ({ $ref }: Parameter): boolean => $ref === undefined;
  for (const { path, method, operation } of operationsOf(document)) {
    for (const parameter of (operation.parameters ?? []).filter(inline)) {
      const text = canonical(parameter);
      const use = uses.get(text) ?? { parameter, operations: new Set(), tags: new Set() };
      use.operations.add(`${method} ${path}`);
      for (const tag of operation.tags ?? []) use.tags.add(tag);
      uses.set(text, use);
    }
  }
  const names = new Map<string, string>();
  for (const [text, { parameter, operations, tags }] of uses) {
    if (operations.size < 2) continue;
    const name = freeName(parameterName(parameter, tags, parameters), parameters);
    parameters[name] = parameter;
    names.set(text, name);
  }
  for (const { operation } of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = inline(parameter) ? names.get(canonical(parameter)) : undefined;
      return name === undefined ? parameter : ref('parameters', name);
    });
  }
}

/** Parameters that every operation of a path has stand with the path: the id, above all. */
export function raiseParameters(document: Document): void {
  for (const [path, item] of Object.entries(document.paths)) {
    const operations = operationsOf({ ...document, paths: { [path]: item } });
    const [first = [], ...others] = operations.map(({ operation }) => operation.parameters ?? []);
    const texts = others.map((each) => new Set(each.map(canonical)));
    const common = new Set(first.map(canonical).filter((text) => texts.every((each) => each.has(text))));
    if (others.length === 0 || common.size === 0) continue;
    item.parameters = first.filter((parameter) => common.has(canonical(parameter)));
    for (const { operation } of operations) {
      const own = (operation.parameters ?? []).filter((parameter) => !common.has(canonical(parameter)));
      if (own.length > 0) operation.parameters = own;
      else delete operation.parameters;
    }
  }
}

/** After the type of what it lists (`TicketFields`), else after itself, else with the subject before it. */
function parameterName({ name = '', schema }: Parameter, tags: ReadonlySet<string>, taken: object): string {
  const plain = pascal(name);
  const type = schemaName(schema?.items);
  const owner = type?.replace(/(Field|Relation)$/, '');
  if (owner !== undefined && owner !== type) return `${owner}${plain}`;
  return plain in taken && tags.size === 1 ? `${pascal([...tags][0] ?? '')}${plain}` : plain;
}

/** Every successful answer that two operations have alike becomes a component, named after its schema. */
export function shareResponses(document: Document): void {
  const { responses } = document.components;
  const counts = new Map<string, number>();
  const each = function* (): Generator<[Record<string, Response>, string, Response]> {
    for (const { operation } of operationsOf(document))
      for (const [status, response] of Object.entries(operation.responses))
        if (response.$ref === undefined) yield [operation.responses, status, response];
  };
  for (const [, , response] of each()) counts.set(canonical(response), (counts.get(canonical(response)) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [all, status, response] of each()) {
    const text = canonical(response);
    if ((counts.get(text) ?? 0) < 2) continue;
    let name = names.get(text);
    if (name === undefined) {
      name = freeName(nameOf(response), responses);
      responses[name] = response;
      names.set(text, name);
    }
    all[status] = ref('responses', name);
  }
}

function nameOf({ content = {}, description = '' }: Response): string {
  const schema = content['application/json']?.schema;
  const named = schema?.$ref ?? schema?.anyOf?.[0]?.$ref;
  return named?.split('/').at(-1) ?? pascal(description);
}
