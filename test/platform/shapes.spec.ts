import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { MAX_PROBLEMS } from '../../src/platform/validation/class-check';
import { ApiError } from '../../src/platform/errors/api-error';
import {
  IsShapedAsOne,
  listOf,
  objectOf,
  oneOf,
  problemsIn,
  Shaped,
  shapeModels,
} from '../../src/platform/validation/shapes';
import { ValidationPipe } from '../../src/platform/http/validation-pipe';
import { thrownBy } from '../support/thrown-by';

class Leaf {
  @ApiProperty({ type: 'string', required: true })
  @IsIn(['leaf'])
  kind: 'leaf';

  @ApiProperty({ type: 'integer', required: true })
  @IsInt()
  @Min(1)
  @Max(9)
  size: number;
}

class Branch {
  @ApiProperty({ type: 'string', required: true })
  @IsIn(['branch', 'root'])
  kind: 'branch' | 'root';

  @Shaped(
    listOf(
      oneOf('ProbeNode', 'kind', () => [Leaf, Branch]),
      { min: 1, max: 3, of: 'nodes' },
    ),
  )
  nodes: (Leaf | Branch)[];

  @Shaped(objectOf(Leaf), { optional: true, nullable: true })
  bud?: Leaf | null;
}

class Tree {
  @Shaped(objectOf(Branch))
  top: Branch;

  @ApiProperty({ required: false })
  @IsShapedAsOne(listOf(objectOf(Leaf), { max: 2 }))
  leaves: Leaf[];
}

const leaf = { kind: 'leaf', size: 1 };
const found = (value: unknown): [string, string][] =>
  problemsIn(objectOf(Branch), value, 'top').map(({ field, code }) => [field, code]);

describe('a shape', () => {
  it.each<[string, unknown, [string, string][]]>([
    ['is sound', { kind: 'root', nodes: [leaf, { kind: 'branch', nodes: [leaf], bud: null }], bud: leaf }, []],
    ['is an object', [], [['top', 'type']]],
    [
      'names what is absent',
      {},
      [
        ['top.kind', 'required'],
        ['top.nodes', 'required'],
      ],
    ],
    ['names what is unknown', { kind: 'root', nodes: [leaf], x: 1 }, [['top.x', 'unknown_field']]],
    ['measures lists', { kind: 'root', nodes: [] }, [['top.nodes', 'min']]],
    [
      'tells kinds',
      { kind: 'root', nodes: [{}, { kind: 'toString' }, 7] },
      [
        ['top.nodes[0].kind', 'required'],
        ['top.nodes[1].kind', 'enum'],
        ['top.nodes[2]', 'type'],
      ],
    ],
    [
      'looks inside',
      { kind: 'root', nodes: [{ kind: 'branch', nodes: [{ ...leaf, size: 10 }] }] },
      [['top.nodes[0].nodes[0].size', 'max']],
    ],
    [
      'looks into what may be absent',
      { kind: 'root', nodes: [leaf], bud: { kind: 'leaf', size: 'x' } },
      [['top.bud.size', 'type']],
    ],
  ])('%s', (_name, value, expected) => {
    expect(found(value)).toEqual(expected);
  });

  it('tells what is allowed, in words that say where', () => {
    expect(problemsIn(objectOf(Branch), { kind: 'twig', nodes: [leaf, leaf, leaf, leaf] }, 'top')).toEqual([
      {
        field: 'top.kind',
        code: 'enum',
        message: 'top.kind must be one of the following values: branch, root',
        allowed: ['branch', 'root'],
      },
      { field: 'top.nodes', code: 'max', message: 'top.nodes must have at most 3 nodes', max: 3 },
    ]);
  });

  it('looks at nothing in a list that is too long, and ends when enough is found', () => {
    const untouchable = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('Looked at.');
        },
        get: () => {
          throw new Error('Looked at.');
        },
      },
    );
    expect(found({ kind: 'root', nodes: Array(4).fill(untouchable) })).toEqual([['top.nodes', 'max']]);
    const many = listOf(objectOf(Leaf), { max: 50_000 });
    expect(problemsIn(many, Array(50_000).fill(7), 'leaves')).toHaveLength(MAX_PROBLEMS);
  });

  it('of a body is refused by the pipe, and what is sound stays what it was', () => {
    const pipe = new ValidationPipe(() => new Set());
    const leaves = [leaf];
    const top = { kind: 'root', nodes: [leaf] };
    const body = pipe.validate({ top, leaves }, Tree);
    expect([body instanceof Tree, body.top === top, body.leaves === leaves]).toEqual([true, true, true]);
    const wrong = { top: { kind: 'root', nodes: [7] }, leaves: [leaf, { kind: 'leaf' }] };
    expect(thrownBy(() => pipe.validate(wrong, Tree), ApiError).extras.details).toEqual([
      { field: 'top.nodes[0]', code: 'type', message: 'top.nodes[0] must be an object' },
      { field: 'leaves', code: 'format', message: 'leaves[1].size is required' },
    ]);
    expect(thrownBy(() => pipe.validate({ leaves }, Tree), ApiError).extras.missing).toEqual(['top']);
  });

  it('brings its classes and its bounds into the document', () => {
    expect(shapeModels()).toEqual(expect.arrayContaining([Leaf, Branch]));
    expect(listOf(objectOf(Leaf), { min: 1, max: 3 }).api).toEqual({
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { allOf: [{ $ref: '#/components/schemas/Leaf' }] },
    });
  });
});
