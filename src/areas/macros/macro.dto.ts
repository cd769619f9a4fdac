import { getSchemaPath, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import {
  AnyMember,
  EnumMember,
  FlagMember,
  IdMember,
  ListMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { FlagParameter } from '../../platform/query/members';
import { sharingFields } from '../users/shared-record';
import { Macro } from './macro.entity';

const writable = [
  'name',
  'description',
  'is_active',
  'actions',
  'position',
  ...sharingFields,
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Macro, writable)
export class CreateMacro extends MembersOf(Macro, writable, ['name', 'actions']) {}

@BodyOf(Macro, writable)
export class UpdateMacro extends PartialType(CreateMacro, { skipNullProperties: false }) {}

/** Parameters of `POST /tickets/{id}/macros/{macro_id}`. */
export class ApplyQuery {
  @FlagParameter({ description: '`true`: answer what would change and be said, and do nothing.' })
  preview?: boolean;
}

class AppliedMacro {
  @IdMember()
  id: number;

  @TextMember()
  name: string;
}

class SaidComment {
  @TextMember()
  body: string;

  @FlagMember()
  is_internal: boolean;
}

const something = { type: 'object', additionalProperties: true };

class PerformedAction {
  @TextMember()
  type: string;

  @EnumMember(['done', 'unchanged', 'queued', 'stopped', 'failed', 'skipped'])
  status: string;

  @AnyMember(something, { nullable: true })
  before: object | null;

  @AnyMember(something, { nullable: true })
  after: object | null;

  @TextMember({ nullable: true })
  error: string | null;
}

/** What a macro made of a ticket, or would make of it. */
export class MacroOutcome {
  @FlagMember({ description: 'Whether nothing was done.' })
  preview: boolean;

  @ObjectMember(() => AppliedMacro)
  macro: AppliedMacro;

  @AnyMember(
    {
      type: 'object',
      additionalProperties: { type: 'object', required: ['from', 'to'], properties: { from: {}, to: {} } },
    },
    { description: 'Members of the ticket that are others afterwards.' },
  )
  changes: object;

  @ListMember(() => SaidComment, { description: 'What is said, variables filled in.' })
  comments: SaidComment[];

  @ListMember(() => PerformedAction, { description: 'What became of each action; side effects are `queued`.' })
  actions: PerformedAction[];

  @AnyMember({ allOf: [{ $ref: getSchemaPath('Ticket') }] }, { description: 'The ticket afterwards.' })
  ticket: object;
}
