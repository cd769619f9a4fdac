import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, IsObject, IsString, Matches, Max, Min, ValidateBy } from 'class-validator';
import { IsTags, tagsSchema } from '../../platform/columns/column-validators';
import type { ErrorDetail } from '../../platform/errors/api-error';
import { canonical, isRecord } from '../../platform/text/json';
import { Choice, IfGiven, IfPresent, listOf, oneOf, type Shape, Shaped } from '../../platform/validation/shapes';
import { CreateComment } from './comment.dto';
import { AssignTicket, CreateTicket, EscalateTicket, MergeTicket, UpdateTicket } from './ticket.dto';

export const BATCH_OPERATIONS = [
  'create',
  'update',
  'delete',
  'assign',
  'unassign',
  'escalate',
  'comment',
  'add_tags',
  'remove_tags',
  'merge',
  'reopen',
  'macro',
] as const;
export type BatchOperationName = (typeof BATCH_OPERATIONS)[number];

/** Operations of one batch, counting each of `ids`. */
export const MAX_BATCH = 50;

type Data = Record<string, unknown> | null;

/** An operation as it is sent: `op` and `data` have other names, too. */
export interface AskedOperation {
  op?: BatchOperationName;
  method?: BatchOperationName;
  action?: BatchOperationName;
  data?: Data;
  body?: Data;
  attributes?: Data;
  ref?: string | null;
  /** What an id is, and that a `$ref` names something, is known to the planner. */
  id?: unknown;
  ids?: readonly unknown[];
  if_match?: string;
}

const Operation = (...names: readonly BatchOperationName[]): PropertyDecorator => Choice(names);

const Ref = (words: { description?: string } = {}): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: 'string', required: false, ...words }), IfPresent(), Matches(/^[\w-]{1,64}$/));

/** The operation's own body: here an object, of that class when its turn comes, so that it fails for itself alone. */
const DataOf = (body: new () => object, required = true): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: () => body, required }), IfPresent(), IsObject());

const id = {
  anyOf: [
    { type: 'integer', format: 'int64', minimum: 1 },
    { type: 'string', pattern: '^\\$[\\w-]{1,64}$' },
  ],
};

/** Whether they are too many is a matter of the whole batch. */
const ids: Shape = {
  api: { type: 'array', minItems: 1, maxItems: MAX_BATCH, items: id },
  find: (value, field, found) => {
    if (!Array.isArray(value) || value.length === 0)
      found.push({ field, code: 'type', message: `${field} must be a list of at least one id` });
  },
};

/** One operation on tickets that exist. */
abstract class OnTickets {
  @ApiProperty({ ...id, required: false })
  @IdOrIds()
  @NotBoth()
  id?: unknown;

  @Shaped(ids, { optional: true })
  ids?: readonly unknown[];

  @Ref()
  ref?: string | null;

  @ApiProperty({ type: 'string', required: false })
  @IfGiven()
  @IsString()
  if_match?: string;
}

const NEEDS = { description: 'Needs either `id` or `ids`.' };

export class BatchCreate {
  @Operation('create')
  op: 'create';

  @Ref({ description: 'Name of the ticket that is made; later operations say `$name`.' })
  ref?: string | null;

  @DataOf(CreateTicket)
  data?: Data;
}

@ApiSchema(NEEDS)
export class BatchUpdate extends OnTickets {
  @Operation('update')
  op: 'update';

  @DataOf(UpdateTicket)
  data?: Data;
}

@ApiSchema(NEEDS)
export class BatchAssign extends OnTickets {
  @Operation('assign')
  op: 'assign';

  @DataOf(AssignTicket)
  data?: Data;
}

@ApiSchema(NEEDS)
export class BatchEscalate extends OnTickets {
  @Operation('escalate')
  op: 'escalate';

  @DataOf(EscalateTicket, false)
  data?: Data;
}

@ApiSchema(NEEDS)
export class BatchComment extends OnTickets {
  @Operation('comment')
  op: 'comment';

  @DataOf(CreateComment)
  data?: Data;
}

/** `data` of `add_tags` and `remove_tags`. */
export class TagChange {
  @ApiProperty({ required: true, ...tagsSchema })
  @IsTags()
  tags: string | string[];
}

@ApiSchema(NEEDS)
export class BatchTags extends OnTickets {
  @Operation('add_tags', 'remove_tags')
  op: 'add_tags' | 'remove_tags';

  @DataOf(TagChange)
  data?: Data;
}

@ApiSchema(NEEDS)
export class BatchMerge extends OnTickets {
  @Operation('merge')
  op: 'merge';

  @DataOf(MergeTicket)
  data?: Data;
}

/** `data` of `macro`. */
export class MacroUse {
  @ApiProperty({ type: 'integer', format: 'int64', required: true })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  macro_id: number;
}

@ApiSchema(NEEDS)
export class BatchMacro extends OnTickets {
  @Operation('macro')
  op: 'macro';

  @DataOf(MacroUse)
  data?: Data;
}

/** `data` of `unassign`, `reopen` and `delete`: a member of it was meant for another operation. */
@ApiSchema({ description: 'Nothing: the operation needs no more than its ticket.' })
export class NoData {}

@ApiSchema(NEEDS)
export class BatchPlain extends OnTickets {
  @Operation('unassign', 'reopen', 'delete')
  op: 'unassign' | 'reopen' | 'delete';

  @DataOf(NoData, false)
  data?: Data;
}

const operation = oneOf('BatchOperation', 'op', () => [
  BatchCreate,
  BatchUpdate,
  BatchAssign,
  BatchEscalate,
  BatchComment,
  BatchTags,
  BatchMerge,
  BatchMacro,
  BatchPlain,
]);

/** What the operations of a batch must be, under either name. */
export const operationsShape = listOf(
  {
    api: operation.api,
    find: (value, field, found) => {
      if (!isRecord(value)) {
        operation.find(value, field, found);
        return;
      }
      const conflict = conflictIn(value, field);
      if (conflict) found.push(conflict);
      else operation.find(withoutAliases(value), field, found);
    },
  },
  { min: 1, max: MAX_BATCH, of: 'operations' },
);

/** Names that mean the same. */
const ALIASES: readonly (readonly string[])[] = [
  ['op', 'method', 'action'],
  ['data', 'body', 'attributes'],
];

/** What is wrong with an operation that says one thing by one name and another by its alias. */
function conflictIn(asked: Readonly<Record<string, unknown>>, field: string): ErrorDetail | undefined {
  for (const names of ALIASES) {
    const [first, ...others] = names.filter((name) => asked[name] !== undefined);
    if (first === undefined) continue;
    const other = others.find((name) => canonical(asked[name]) !== canonical(asked[first]));
    if (other === undefined) continue;
    const message = `${field}.${other} is another name of "${first}", which says something else`;
    return { field: `${field}.${other}`, code: 'conflict', message };
  }
  return undefined;
}

/** The operation under the names that its class has. */
function withoutAliases(asked: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { method, action, op = method ?? action, body, attributes, data = body ?? attributes, ...rest } = asked;
  return { ...rest, op, data };
}

function IdOrIds(): PropertyDecorator {
  return idRule('idOrIds', 'required', '$property is needed, or "ids" in its place', (one, several) => one || several);
}

function NotBoth(): PropertyDecorator {
  return idRule('notBoth', 'conflict', 'name either "id" or "ids", not both', (one, several) => !(one && several));
}

/** @param holds whether it may be so that `id`, and that `ids`, is there */
function idRule(
  name: string,
  code: string,
  message: string,
  holds: (one: boolean, several: boolean) => boolean,
): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value, args) => isRecord(args?.object) && holds(value !== undefined, args.object.ids !== undefined),
        defaultMessage: () => message,
      },
    },
    { context: { code } },
  );
}
