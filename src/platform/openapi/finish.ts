import type { OpenAPIObject } from '@nestjs/swagger';
import type { Areas } from '../area/areas';
import { sorted } from '../http/openapi';
import { declaredSchemas } from '../http/declared-schemas';
import { asDocument, type Document, operationsOf, reachable } from './document';
import { hoistValues } from './hoist';
import { sayOnce } from './lean';
import { operationId } from './operation-ids';
import { addParameterExamples } from './parameter-examples';
import { addPermissions } from './permissions';
import { addReadSchemas } from './read-schemas';
import { sharedSchemas } from './shared-schemas';
import { raiseParameters, shareParameters, shareResponses } from './sharing';
import { shareTypes } from './shared-types';
import { answersList, addTables } from './tables';
import { arrange } from './tags';
import { shapeSchemas } from '../validation/shapes';
import { settleWriteSchemas, withoutDefaults } from './write-schemas';

/**
 * Turns what the decorators say into the document that clients read: answers and bodies apart, every bound of a body,
 * shared parts as components, ids of operations from their addresses, tags in the order of the specification.
 *
 * @param bodies classes that parameters of routes have
 */
export function finishDocument(raw: OpenAPIObject, areas: Areas, bodies: readonly object[]): OpenAPIObject {
  const document = asDocument(raw);
  Object.assign(document.components.schemas, sharedSchemas, declaredSchemas(), shapeSchemas());
  addReadSchemas(document);
  settleWriteSchemas(document, bodies);
  tellDefaults(document);
  shareTypes(document);
  nameOperations(document);
  addTables(document);
  addPermissions(document);
  sayOnce(document);
  hoistValues(document);
  addParameterExamples(document, areas.all);
  shareParameters(document);
  raiseParameters(document);
  shareResponses(document);
  arrange(
    document,
    areas.each(({ tags }) => tags),
  );
  dropUnused(document);
  const { components } = document;
  for (const kind of ['schemas', 'parameters', 'responses', 'headers'] as const)
    components[kind] = sorted(components[kind]) as never;
  return raw;
}

function nameOperations(document: Document): void {
  const operations = operationsOf(document);
  const lists = new Set(
    operations
      .filter(({ method, operation }) => method === 'get' && answersList(operation.responses['200']))
      .map(({ path }) => path),
  );
  for (const { method, path, operation } of operations)
    operation.operationId = operationId(method, path, operation, lists.has(path));
}

/** Types take a parameter with a default for one that must be given: words tell it instead. */
function tellDefaults(document: Document): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? []) {
      if (parameter.schema?.default === undefined) continue;
      const { description = '', ...schema } = withoutDefaults(parameter.schema, true);
      parameter.description = `${parameter.description ?? ''} ${description}`.trim();
      parameter.schema = schema;
    }
}

/** A schema that nothing leads to is none of the API's. */
function dropUnused(document: Document): void {
  const { schemas, ...others } = document.components;
  const used = reachable([document.paths, document.webhooks, others], schemas);
  document.components.schemas = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
