import type { Type } from '@nestjs/common';
import { isRecord } from '../../../platform/text/json';
import { objectOf, type Shape } from '../../../platform/validation/shapes';
import { isLonger } from '../../../platform/text/normalise';

/** An object whose members are all of one shape, under names that the client chooses. */
export function mapped(item: Shape, max: number): Shape {
  return {
    api: { type: 'object', additionalProperties: item.api, maxProperties: max },
    find: (value, field, found) => {
      if (!isRecord(value)) {
        found.push({ field, code: 'type', message: `${field} must be an object` });
        return;
      }
      const entries = Object.entries(value);
      if (entries.length > max)
        found.push({ field, code: 'max', message: `${field} must have at most ${max} members`, max });
      else for (const [name, each] of entries) item.find(each, `${field}.${name.slice(0, 80)}`, found);
    },
  };
}

/** The same of a class. */
export function mapOf(type: Type<object>, max: number): Shape {
  return mapped(objectOf(type), max);
}

/** A plain value. */
export const plainValue: Shape = {
  api: {
    nullable: true,
    oneOf: [{ type: 'string', maxLength: 1_000 }, { type: 'number' }, { type: 'boolean' }],
  },
  find: (value, field, found) => {
    const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
    if (!isPlain)
      found.push({ field, code: 'type', message: `${field} must be a text, a number, true, false or null` });
    else if (typeof value === 'string' && isLonger(value, 1_000))
      found.push({ field, code: 'max', message: `${field} must have at most 1000 characters`, max: 1_000 });
  },
};

/** The name of a field that something becomes, or null where it becomes none. */
export const fieldOrNone: Shape = {
  api: { type: 'string', maxLength: 120, nullable: true },
  find: (value, field, found) => {
    if (value !== null && (typeof value !== 'string' || value === '' || isLonger(value, 120)))
      found.push({ field, code: 'type', message: `${field} must be the name of a field, or null` });
  },
};
