import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { IdMember, IntegerMember, ListMember, TextMember } from '../../platform/http/answer-members';
import { QueryParameter, TextParameter } from '../../platform/query/members';
import { idOf, idOr, items } from '../../platform/query/values';
import { invalid } from '../../platform/errors/api-error';
import { sharingFields } from '../users/shared-record';
import { View } from './view.entity';

const writable = [
  'name',
  'description',
  'resource',
  'filters',
  'sort',
  'columns',
  'position',
  ...sharingFields,
  'external_id',
  'custom_fields',
] as const;

@BodyOf(View, writable)
export class CreateView extends MembersOf(View, writable, ['name']) {}

@BodyOf(View, writable)
export class UpdateView extends PartialType(CreateView, { skipNullProperties: false }) {}

/** Views that are counted together. */
export const MAX_COUNTED = 50;

/** Parameters of `GET /views/counts`. */
export class CountsQuery {
  @QueryParameter(
    { description: `Ids of at most ${MAX_COUNTED} views; the first ones by position unless given.` },
    { type: 'array', minItems: 1, maxItems: MAX_COUNTED, items: idOr([]) },
    readIds,
  )
  ids?: number[];

  @TextParameter({ description: 'Only views of this list.', max: 64 })
  resource?: string;
}

/** How many records a view shows. */
export class ViewCount {
  @IdMember({ description: 'The view.' })
  id: number;

  @IntegerMember({ nullable: true, minimum: 0, description: 'Exact; null where it cannot be told.' })
  count: number | null;

  @TextMember({
    nullable: true,
    description: 'Why it cannot be told: the view fits the list no longer, or counting took too long.',
  })
  problem: string | null;
}

export class ViewCounts {
  @ListMember(() => ViewCount, { description: 'By position of the views.' })
  counts: ViewCount[];
}

function readIds(raw: string, name: string): number[] {
  const ids = items(raw).map((item) => idOf(item) ?? invalid(name, 'type', `"${name}" must be ids, comma-separated.`));
  if (ids.length > MAX_COUNTED)
    invalid(name, 'max', `"${name}" takes at most ${MAX_COUNTED} ids.`, { max: MAX_COUNTED });
  return [...new Set(ids)];
}
