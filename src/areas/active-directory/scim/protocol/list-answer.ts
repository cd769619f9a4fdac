import { fail } from '../../../../platform/errors/api-error';

/** A list as RFC 7644, section 3.4.2, has it. */
export function listAnswer(resources: readonly object[], totalResults: number, startIndex = 1): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults, startIndex, itemsPerPage: resources.length, Resources: resources },
  };
}

export function refuseUnknown(what: string, id: string): never {
  fail('not_found', `There is no ${what} ${JSON.stringify(id.slice(0, 100))}.`);
}
