import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { fail } from '../errors/api-error';

const ID = /^[1-9]\d{0,15}$/;

/** Reads an id from a path. Anything that cannot be the id of a record is the same 404 as an unknown id. */
export function parseId(text: string): number {
  const id = ID.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? id : fail('not_found', 'There is no such record.');
}

class IdPipe implements PipeTransform<string, number> {
  transform(text: string): number {
    return parseId(text);
  }
}

const pipe = new IdPipe();

/** A path parameter that holds an id: `@Id() id: number`, or `@Id('cid') commentId: number`. */
export function Id(name = 'id'): ParameterDecorator {
  return (target, key, index) => {
    Param(name, pipe)(target, key, index);
    const method = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && method) {
      ApiParam({ name, schema: { type: 'integer', format: 'int64', minimum: 1 } })(target, key, method);
    }
  };
}
