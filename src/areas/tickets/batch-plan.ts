import { type ErrorDetail, fail } from '../../platform/errors/api-error';
import { type AskedOperation, type BatchOperationName, MAX_BATCH } from './batch-operations';

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

/**
 * Unfolds the `ids` of operations whose form is right (`batch-operations.ts`): 1 to 50 steps, or a 422 for the whole request that
 * lists every fault (what is no id, `$ref` to nothing earlier, a ref that is taken).
 */
export function planBatch(operations: readonly AskedOperation[]): Step[] {
  if (operations.reduce((count, { ids }) => count + (ids?.length ?? 1), 0) > MAX_BATCH) tooMany();
  const faults: ErrorDetail[] = [];
  const refs = new Set<string>();
  const steps = operations.flatMap((asked, index) => planOne(asked, index, refs, faults));
  if (faults.length) fail('validation_error', 'The batch is not well formed.', { details: faults });
  return steps;
}

function tooMany(): never {
  const message = `A batch has at most ${MAX_BATCH} operations, counting each of "ids".`;
  fail('validation_error', message, { details: [{ field: 'operations', code: 'max', message, max: MAX_BATCH }] });
}

function planOne(asked: AskedOperation, index: number, refs: Set<string>, faults: ErrorDetail[]): Step[] {
  const { method, action, op = method ?? action, body, attributes, data = body ?? attributes } = asked;
  if (op === undefined) return [];
  const at = `operations[${index}]`;
  const ref = readRef(asked.ref, at, refs, faults);
  const base = { index, ref, op, data: data ?? {}, ifMatch: asked.if_match };
  const given = asked.ids ?? [asked.id];
  const targets = op === 'create' ? [null] : given.map((item) => readTarget(item, at, refs, faults));
  if (ref !== null && op === 'create') refs.add(ref);
  return targets.map((target) => ({ ...base, target }));
}

function readRef(
  ref: string | null | undefined,
  at: string,
  refs: ReadonlySet<string>,
  faults: ErrorDetail[],
): string | null {
  if (ref === undefined || ref === null) return null;
  if (!refs.has(ref)) return ref;
  fault(faults, `${at}.ref`, 'duplicate', `"${ref}" is already the ref of an earlier operation.`);
  return null;
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

function fault(faults: ErrorDetail[], field: string, code: string, message: string): void {
  faults.push({ field, code, message });
}
