import { refuseUnknown } from './list-answer';
import { type Attribute, COMMON, type Schema, SCHEMAS, TYPES } from './schema';

/** Most resources of one answer. */
export const MAX_RESULTS = 200;

/** What this service can do (RFC 7643, section 5). */
export function serviceProviderConfig(base: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of the connection, as Authorization: Bearer.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** Users and groups (RFC 7643, section 6). */
export function resourceTypes(base: string): object[] {
  return TYPES.map(({ name, endpoint, schema, extension }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    ...{ id: name, name, endpoint, description: schema.description, schema: schema.id },
    ...(extension ? { schemaExtensions: [{ schema: extension.id, required: false }] } : {}),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));
}

export function resourceType(base: string, name: string): object {
  const at = TYPES.findIndex((each) => each.name === name);
  return resourceTypes(base)[at] ?? refuseUnknown('ResourceType', name);
}

/** What they have (RFC 7643, section 7). */
export function schemas(base: string): object[] {
  return SCHEMAS.map((each) => shown(base, each));
}

export function schema(base: string, id: string): object {
  const found = SCHEMAS.find((each) => each.id.toLowerCase() === id.toLowerCase());
  return found ? shown(base, found) : refuseUnknown('Schema', id);
}

function shown(base: string, { id, name, description, attributes }: Schema): object {
  const common = name === 'EnterpriseUser' ? [] : COMMON.filter((each) => each.name === 'externalId');
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...{ id, name, description, attributes: [...common, ...attributes].map(attribute) },
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  };
}

function attribute(each: Attribute): object {
  const { name, type, description, multi, exact, required, readOnly, unique, always, values, refers, sub } = each;
  return {
    ...{ name, type, multiValued: multi === true, description, required: required === true },
    ...{ caseExact: exact === true, mutability: readOnly ? 'readOnly' : 'readWrite' },
    ...{ returned: always ? 'always' : 'default', uniqueness: unique ? 'server' : 'none' },
    ...(values ? { canonicalValues: values } : {}),
    ...(refers ? { referenceTypes: refers } : {}),
    ...(sub ? { subAttributes: sub.map(attribute) } : {}),
  };
}
