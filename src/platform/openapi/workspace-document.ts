import type { OpenAPIObject } from '@nestjs/swagger';
import { LRUCache } from 'lru-cache';
import type { AccessCache } from '../auth/access-cache';
import { bodiesOf } from '../columns/bodies';
import { tokenPrincipal } from '../context/principal';
import type { Database } from '../database/database';
import type { CustomFields } from '../fields/custom-fields';
import { type FieldBook, type FieldDefinition, fieldPath } from '../fields/field-definition';
import { fieldFilter } from '../fields/field-filter';
import { fieldSchema } from '../fields/field-schema';
import { type Resource, resourceOfObject } from '../resource/resource';
import { fieldName } from '../routes/schema-names';
import { asDocument, type Document, type Operation, type Schema } from './document';

/** Texts of documents that are kept: each has about a megabyte. */
const MAX_KEPT = 20;

/** The OpenAPI document as it is for one workspace: with the custom fields that it has defined. */
export class WorkspaceDocument {
  private readonly kept = new LRUCache<FieldBook, string>({ max: MAX_KEPT });

  constructor(
    private readonly access: AccessCache,
    private readonly fields: CustomFields,
    private readonly database: Database,
  ) {}

  /** The text for whoever has the token; null where it is that of everybody. */
  async textFor(token: string, document: () => OpenAPIObject): Promise<string | null> {
    const access = await this.access.find(token);
    const principal = access && tokenPrincipal(access);
    if (!principal?.permissions.allows('custom-fields.read')) return null;
    const book = await this.database.inWorkspace(access?.workspace.id ?? 0, principal, () => this.fields.all());
    if (book.size === 0) return null;
    const text = this.kept.get(book) ?? JSON.stringify(withBook(document(), book));
    this.kept.set(book, text);
    return text;
  }
}

/** The document with the fields in records, bodies and lists; the rest of it is the same object. */
export function withBook(document: OpenAPIObject, book: FieldBook): OpenAPIObject {
  const { paths, components } = asDocument(document);
  const schemas = { ...components.schemas };
  const widened = { ...paths };
  for (const [object, definitions] of book) {
    const resource = resourceOfObject(object);
    if (!resource) continue;
    for (const name of [resource.entity.name, ...bodiesOf(resource.entity).map((body) => body.name)]) {
      const schema = schemas[name];
      if (schema?.properties?.custom_fields) schemas[name] = typed(schema, definitions);
    }
    const names = schemas[fieldName(resource)];
    if (names?.enum) schemas[fieldName(resource)] = { ...names, enum: [...names.enum, ...definitions.map(fieldPath)] };
    addFilters(widened, resource, definitions);
  }
  return { ...document, paths: widened, components: { ...document.components, schemas } };
}

function typed(schema: Schema, definitions: readonly FieldDefinition[]): Schema {
  const properties = Object.fromEntries(definitions.map((field) => [field.key, fieldSchema(field) as Schema]));
  const custom_fields: Schema = { type: 'object', properties, additionalProperties: true };
  return { ...schema, properties: { ...schema.properties, custom_fields } };
}

function addFilters(paths: Document['paths'], resource: Resource, definitions: readonly FieldDefinition[]): void {
  const path = resource.notice?.path ?? '';
  const list = paths[path]?.get as Operation | undefined;
  if (!list) return;
  const filters = definitions.map((field) => {
    const { description, schema } = fieldFilter(field, resource.fields);
    return { name: fieldPath(field), in: 'query', required: false, description, schema, explode: false };
  });
  paths[path] = { ...paths[path], get: { ...list, parameters: [...(list.parameters ?? []), ...filters] } };
}
