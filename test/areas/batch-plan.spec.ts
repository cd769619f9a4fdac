import fc from 'fast-check';
import { BATCH_OPERATIONS, MAX_BATCH } from '../../src/areas/tickets/batch-operations';
import { planBatch, type Step } from '../../src/areas/tickets/batch-plan';
import { TicketBatch } from '../../src/areas/tickets/batch.dto';
import { ValidationPipe } from '../../src/platform/http/validation-pipe';
import { ApiError } from '../../src/platform/errors/api-error';
import { thrownBy } from '../support/thrown-by';

const pipe = new ValidationPipe(() => new Set());

/** The steps of a batch as it is sent. */
const planned = (operations: readonly unknown[]): Step[] =>
  planBatch(pipe.validate({ operations }, TicketBatch).operations);

/** Field and code of everything wrong with a batch. */
function faults(operations: readonly unknown[]): [field: string, code: string][] {
  const { extras } = thrownBy(() => planned(operations), ApiError);
  return (extras.details ?? []).map(({ field, code }) => [field, code]);
}

describe('planning a batch', () => {
  it('keeps order, refs, data and preconditions', () => {
    expect(
      planned([
        { ref: 'a', op: 'create', data: { subject: 'x' } },
        { op: 'update', id: 42, data: { priority: 'high' }, if_match: '"3"' },
        { op: 'comment', id: '$a', data: { body: 'y' } },
      ]),
    ).toEqual([
      { index: 0, ref: 'a', op: 'create', target: null, data: { subject: 'x' }, ifMatch: undefined },
      { index: 1, ref: null, op: 'update', target: 42, data: { priority: 'high' }, ifMatch: '"3"' },
      { index: 2, ref: null, op: 'comment', target: { ref: 'a' }, data: { body: 'y' }, ifMatch: undefined },
    ]);
  });

  it.each([
    [{ method: 'create', body: { subject: 'x' } }],
    [{ action: 'create', attributes: { subject: 'x' } }],
    [{ op: 'create', data: { subject: 'x' } }],
    [{ op: 'create', action: 'create', data: { subject: 'x' }, body: { subject: 'x' } }],
  ])('reads the aliases %j', (operation) => {
    expect(planned([operation])).toMatchObject([{ op: 'create', data: { subject: 'x' } }]);
  });

  it('unfolds ids into one step each, of the same operation', () => {
    const steps = planned([
      { ref: 'a', op: 'create', data: {} },
      { op: 'add_tags', ids: [46, '$a', 47], data: {} },
    ]);
    expect(steps.map(({ index, target }) => [index, target])).toEqual([
      [0, null],
      [1, 46],
      [1, { ref: 'a' }],
      [1, 47],
    ]);
  });

  it('takes 50 steps and not 51, counting every id', () => {
    const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
    expect(planned([{ op: 'escalate', ids: ids(MAX_BATCH) }]).length).toBe(50);
    expect(planned(ids(50).map((id) => ({ op: 'delete', id }))).length).toBe(50);
    expect(faults([{ op: 'escalate', ids: ids(51) }])).toEqual([['operations', 'max']]);
    expect(faults(ids(51).map((id) => ({ op: 'delete', id })))).toEqual([['operations', 'max']]);
    expect(
      faults([
        { op: 'delete', id: 1 },
        { op: 'escalate', ids: ids(50) },
      ]),
    ).toEqual([['operations', 'max']]);
  });

  it.each<[string, unknown[], [string, string][]]>([
    ['no operation', [], [['operations', 'min']]],
    ['an operation that is no object', [7], [['operations[0]', 'type']]],
    ['a list as an operation', [[]], [['operations[0]', 'type']]],
    ['an unknown operation', [{ op: 'explode', id: 1 }], [['operations[0].op', 'enum']]],
    ['no operation name', [{ id: 1 }], [['operations[0].op', 'required']]],
    ['an unknown member', [{ op: 'delete', id: 1, foo: 1 }], [['operations[0].foo', 'unknown_field']]],
    ['no id', [{ op: 'delete' }], [['operations[0].id', 'required']]],
    ['id and ids', [{ op: 'delete', id: 1, ids: [2] }], [['operations[0].id', 'conflict']]],
    ['an operation by two names', [{ op: 'delete', method: 'reopen', id: 1 }], [['operations[0].method', 'conflict']]],
    ['an operation by another two', [{ method: 'delete', action: 'x', id: 1 }], [['operations[0].action', 'conflict']]],
    [
      'data by two names',
      [{ op: 'update', id: 1, data: { subject: 'x' }, attributes: { subject: 'y' } }],
      [['operations[0].attributes', 'conflict']],
    ],
    [
      'a precondition on a create',
      [{ op: 'create', data: { subject: 'x' }, if_match: '"1"' }],
      [['operations[0].if_match', 'unknown_field']],
    ],
    ['an id on a create', [{ op: 'create', id: 1 }], [['operations[0].id', 'unknown_field']]],
    ['an empty list of ids', [{ op: 'delete', ids: [] }], [['operations[0].ids', 'type']]],
    ['ids that are no list', [{ op: 'delete', ids: 7 }], [['operations[0].ids', 'type']]],
    ['a fractional id', [{ op: 'delete', id: 1.5 }], [['operations[0].id', 'type']]],
    ['an id of zero', [{ op: 'delete', id: 0 }], [['operations[0].id', 'type']]],
    ['an id as text', [{ op: 'delete', id: '7' }], [['operations[0].id', 'type']]],
    ['a ref to nothing', [{ op: 'delete', id: '$a' }], [['operations[0].id', 'not_found']]],
    ['data that is a list', [{ op: 'update', id: 1, data: [] }], [['operations[0].data', 'type']]],
    ['a precondition that is no text', [{ op: 'delete', id: 1, if_match: 3 }], [['operations[0].if_match', 'type']]],
    ['a ref of the wrong form', [{ op: 'create', ref: 'a b' }], [['operations[0].ref', 'format']]],
    [
      'a ref used twice',
      [
        { op: 'create', ref: 'a' },
        { op: 'create', ref: 'a' },
      ],
      [['operations[1].ref', 'duplicate']],
    ],
    [
      'a ref to a later create',
      [
        { op: 'delete', id: '$a' },
        { op: 'create', ref: 'a' },
      ],
      [['operations[0].id', 'not_found']],
    ],
    [
      'a ref to an operation that creates nothing',
      [
        { op: 'delete', id: 1, ref: 'a' },
        { op: 'delete', id: '$a' },
      ],
      [['operations[1].id', 'not_found']],
    ],
    [
      'several faults at once',
      [{ op: 'nope' }, { op: 'delete' }],
      [
        ['operations[0].op', 'enum'],
        ['operations[1].id', 'required'],
      ],
    ],
  ])('refuses %s', (_name, operations, expected) => {
    expect(faults(operations)).toEqual(expected);
  });

  it('either plans or answers 422, whatever it is given', () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('$a', 1, [1, 2], { subject: 'x' }));
    const operation = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record(
        { op: fc.constantFrom(...BATCH_OPERATIONS), ref: member, id: member, ids: member, data: member },
        { requiredKeys: ['op'] },
      ),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 8 }), (operations) => {
        let steps: Step[];
        try {
          steps = planned(operations);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect((error as ApiError).type).toBe('validation_error');
          return;
        }
        for (const step of steps) {
          expect(BATCH_OPERATIONS).toContain(step.op);
          expect(step.target === null).toBe(step.op === 'create');
        }
      }),
    );
  });
});
