import { invalid } from '../../../platform/http/errors';

const ID = /^[1-9]\d{0,15}$/;

/** A query parameter that names a record; null without it, 422 when it is no id. */
export function idParameter(name: string, raw: string | undefined): number | null {
  if (raw === undefined) return null;
  const id = ID.test(raw) ? Number(raw) : NaN;
  return Number.isSafeInteger(id) ? id : invalid(name, 'type', `"${name}" must be an id.`);
}
