import { type ErrorDetail, fail } from '../../platform/errors/api-error';
import { isOneOf, isRecord } from '../../platform/text/json';
import { BATCH_OPERATIONS, type BatchOperationName } from './batch.dto';

export const MAX_BATCH = 50;

/** One operation on (at most) one ticket, in order of execution. */
export interface Step {
  /** Place of its operation in the request. */
  index: number;
  /** The client's own name of the operation; of a create also what later ones may name. */
  ref: string | null;
  op: BatchOperationName;
  /** Ticket id, or the ref of the create it comes from; null for a create. */
  target: number | { ref: string } | null;
  data: Record<string, unknown>;
  ifMatch: string | undefined;
}

const aliases: Readonly<Record<string, string>> = { method: 'op', action: 'op', body: 'data', attributes: 'data' };
const known = new Set(['ref', 'op', 'id', 'ids', 'data', 'if_match']);

/**
 * Checks the form of a batch and unfolds `ids`: 1 to 50 steps, or a 422 for the whole request that lists every fault
 * (unknown operation or member, missing id, `$ref` to nothing earlier).
 */
export function planBatch(operations: readonly unknown[]): Step[] {
  const faults: ErrorDetail[] = [];
  const refs = new Set<string>();
  const steps: Step[] = [];
  if (operations.length === 0) fault(faults, 'operations', 'min', 'A batch needs at least one operation.');
  if (operations.length > MAX_BATCH) tooMany();
  operations.forEach((raw, index) => {
    steps.push(...planOne(raw, index, refs, faults));
  });
  if (faults.length) fail('validation_error', 'The batch is not well formed.', { details: faults });
  if (steps.length > MAX_BATCH) tooMany();
  return steps;
}

function tooMany(): never {
  const message = `A batch has at most ${MAX_BATCH} operations, counting each of "ids".`;
  fail('validation_error', message, { details: [{ field: 'operations', code: 'max', message, max: MAX_BATCH }] });
}

function planOne(raw: unknown, index: number, refs: Set<string>, faults: ErrorDetail[]): Step[] {
  const at = `operations[${index}]`;
  if (!isRecord(raw)) {
    fault(faults, at, 'type', 'An operation is an object.');
    return [];
  }
  const operation: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw))
    operation[Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name] = value;
  for (const name of Object.keys(operation)) {
    if (!known.has(name))
      fault(faults, `${at}.${name.slice(0, 80)}`, 'unknown_field', 'An operation has no such member.', [...known]);
  }
  const { op } = operation;
  if (!isOneOf(BATCH_OPERATIONS, op)) {
    fault(
      faults,
      `${at}.op`,
      op === undefined ? 'required' : 'enum',
      '"op" must be a known operation.',
      BATCH_OPERATIONS,
    );
    return [];
  }
  const data = operation.data ?? {};
  if (!isRecord(data)) fault(faults, `${at}.data`, 'type', '"data" must be an object.');
  const { if_match: ifMatch } = operation;
  if (ifMatch !== undefined && typeof ifMatch !== 'string')
    fault(faults, `${at}.if_match`, 'type', '"if_match" must be a string.');
  const ref = readRef(operation.ref, at, refs, faults);
  const base = {
    index,
    ref,
    op,
    data: isRecord(data) ? data : {},
    ifMatch: typeof ifMatch === 'string' ? ifMatch : undefined,
  };
  const targets = readTargets(operation, op, at, refs, faults);
  if (ref !== null && op === 'create') refs.add(ref);
  return targets.map((target) => ({ ...base, target }));
}

function readRef(ref: unknown, at: string, refs: ReadonlySet<string>, faults: ErrorDetail[]): string | null {
  if (ref === undefined || ref === null) return null;
  if (typeof ref !== 'string' || !/^[\w-]{1,64}$/.test(ref))
    fault(faults, `${at}.ref`, 'format', '"ref" is 1 to 64 word characters or hyphens.');
  else if (refs.has(ref))
    fault(faults, `${at}.ref`, 'duplicate', `"${ref}" is already the ref of an earlier operation.`);
  else return ref;
  return null;
}

function readTargets(
  operation: Record<string, unknown>,
  op: string,
  at: string,
  refs: ReadonlySet<string>,
  faults: ErrorDetail[],
): Step['target'][] {
  const { id, ids } = operation;
  if (op === 'create') {
    if (id !== undefined || ids !== undefined) fault(faults, `${at}.id`, 'unknown_field', 'A create has no id.');
    return [null];
  }
  if ((id === undefined) === (ids === undefined)) {
    fault(faults, `${at}.id`, 'required', `"${op}" needs either "id" or "ids".`);
    return [];
  }
  if (ids !== undefined && (!Array.isArray(ids) || ids.length === 0)) {
    fault(faults, `${at}.ids`, 'type', '"ids" must be a list of at least one id.');
    return [];
  }
  const list: unknown[] = ids === undefined ? [id] : ids;
  return list.map((item) => readTarget(item, at, refs, faults));
}

function readTarget(item: unknown, at: string, refs: ReadonlySet<string>, faults: ErrorDetail[]): Step['target'] {
  if (typeof item === 'number' && Number.isSafeInteger(item) && item > 0) return item;
  if (typeof item === 'string' && item.startsWith('$')) {
    const ref = item.slice(1);
    if (!refs.has(ref))
      fault(faults, `${at}.id`, 'not_found', `"${item.slice(0, 80)}" names no create before this operation.`);
    return { ref };
  }
  fault(faults, `${at}.id`, 'type', 'An id is a positive whole number, or "$" and the ref of an earlier create.');
  return null;
}

function fault(faults: ErrorDetail[], field: string, code: string, message: string, allowed?: readonly string[]): void {
  faults.push({ field, code, message, ...(allowed ? { allowed } : {}) });
}
