import { ApiError, type ErrorType } from '../../../../platform/errors/api-error';
import type { ErrorAnswer } from '../../../../platform/http/error-answer';

export const SCIM_MEDIA_TYPE = 'application/scim+json; charset=utf-8';

/** What is wrong, in the words of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** Throws a 400 (409 where something is there already) that says what kind of fault it is. */
export function refuse(scimType: ScimType, detail: string): never {
  const type: ErrorType = scimType === 'uniqueness' ? 'conflict' : 'bad_request';
  throw new ApiError(type, detail, { details: [{ field: '', code: scimType, message: detail, scimType }] });
}

/** An error as RFC 7644, section 3.12, has it. What the service calls 422 is a 400 there. */
export function scimErrorAnswer({ status, message, extras }: ApiError): { status: number } & ErrorAnswer {
  const [detail] = extras.details ?? [];
  const scimType = detail?.scimType ?? (status === 422 ? 'invalidSyntax' : undefined);
  const shown = status === 422 ? 400 : status;
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(shown),
    ...(scimType === undefined ? {} : { scimType }),
    detail: message,
  };
  return { status: shown, contentType: SCIM_MEDIA_TYPE, body: JSON.stringify(body) };
}
