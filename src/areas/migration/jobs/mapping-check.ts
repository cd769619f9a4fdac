import { ApiError, type ErrorDetail } from '../../../platform/errors/api-error';
import type { Takeovers } from '../../../platform/resource/takeover';
import { FILES } from '../run/coming-file';
import type { EntityMapping } from '../mapping/mapping.dto';
import { isTarget } from '../mapping/targets';

/** Refuses (422) entities and fields that are not there to be filled. */
export function requireKnown(
  takeovers: Takeovers,
  entities: readonly string[],
  mapping: Readonly<Record<string, EntityMapping>>,
  rows: readonly string[] = [],
): void {
  const known = takeovers.all().map(({ resource }) => resource.name);
  const details: ErrorDetail[] = [];
  const entity = (field: string, name: string, allowed: readonly string[] = known): void => {
    if (!allowed.includes(name))
      details.push({
        field,
        code: 'enum',
        message: `${field} must be one of ${allowed.join(', ')}`,
        allowed: [...allowed],
      });
  };
  for (const name of entities) entity('entities', name, [...known, FILES]);
  for (const name of rows) entity('rows', name);
  for (const [name, { fields = {}, values = {}, defaults = {} }] of Object.entries(mapping)) {
    const takeover = takeovers.of(name);
    if (!takeover) {
      entity('mapping', name);
      continue;
    }
    const targets = [
      ...Object.entries(fields).flatMap(([said, target]) =>
        target === null ? [] : [{ at: `fields.${said.slice(0, 80)}`, target }],
      ),
      ...Object.keys(values).map((target) => ({ at: `values.${target.slice(0, 80)}`, target })),
      ...Object.keys(defaults).map((target) => ({ at: `defaults.${target.slice(0, 80)}`, target })),
    ];
    for (const { at, target } of targets)
      if (!isTarget(takeover, target)) {
        const field = `mapping.${name}.${at}`;
        details.push({
          field,
          code: 'unknown_field',
          message: `${field} names "${target.slice(0, 80)}", which ${name} do not have`,
        });
      }
  }
  const [first] = details;
  if (first) throw new ApiError('validation_error', `${first.message}.`, { details: details.slice(0, 50) });
}
