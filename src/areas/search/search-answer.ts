import type { Type } from '@nestjs/common';
import { remembered } from '../../platform/area/collected';
import type { SearchGroup } from '../../platform/area/search-group';
import {
  AnyMember,
  EnumMember,
  IdMember,
  ListMember,
  NumberMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { pascal } from '../../platform/openapi/naming';
import { MOST_COUNTED } from './group-statement';
import { searchGroups } from './groups';
import type { Hit } from './hits';
import { searchTypes } from './query';

/** What the hits of a group have: what all hits have, and what the group says of its own. */
function hitOf({ singular, schema = `${pascal(singular)}Hit`, fields }: SearchGroup): Type {
  class SearchHit {
    @IdMember()
    id: number;

    @EnumMember([singular])
    type: string;

    @TextMember({ description: 'Plain text.' })
    title: string;

    @TextMember({
      description:
        'HTML: about 160 characters around the first hit, hits inside `<mark>`, everything else escaped. Safe to show as it is.',
      example: 'My corporate <mark>printer</mark> is not working since this morning…',
    })
    snippet: string;

    @NumberMember({ minimum: 0, maximum: 1, description: 'The higher the better; comparable inside a group.' })
    score: number;

    @TextMember({ format: 'uri' })
    url: string;
  }
  for (const [name, field] of Object.entries(fields)) AnyMember({ ...field })(SearchHit.prototype, name);
  return named(SearchHit, schema);
}

/** The groups that were asked for, best first: those of all areas. */
const searchGroupsOfRun = remembered((): Type => {
  class SearchGroups {
    [type: string]: Hit[];
  }
  for (const group of searchGroups) {
    const hit = hitOf(group);
    ListMember(() => hit, { required: false })(SearchGroups.prototype, group.type);
  }
  return SearchGroups;
});

/** The class under the name that it has in the OpenAPI document. */
function named(type: Type, name: string): Type {
  return Object.defineProperty(type, 'name', { value: name });
}

/** What a search took and found, with a total for each group. */
const searchMetaOfRun = remembered((): Type => {
  class SearchMeta {
    @TextMember({ description: 'What was searched, without the space around it.' })
    query: string;

    @NumberMember({ description: 'Milliseconds in the service.' })
    took_ms: number;

    @AnyMember(
      { type: 'object', properties: Object.fromEntries(searchTypes.map((type) => [type, { type: 'integer' }])) },
      { description: `Matching records of each group, exact up to ${MOST_COUNTED}.` },
    )
    totals: Record<string, number>;

    @AnyMember(
      { type: 'array', items: { type: 'string', enum: [...searchTypes] } },
      {
        required: false,
        description: `Present when a group has more than ${MOST_COUNTED} matching records: its total says ${MOST_COUNTED}.`,
      },
    )
    totals_capped?: string[];

    @AnyMember(
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      {
        required: false,
        description:
          'Present when nothing was found as written: the words that were searched instead of a mistyped one.',
        example: { pritner: ['printer'] },
      },
    )
    corrected?: Record<string, string[]>;
  }
  return SearchMeta;
});

/** Answer of `GET /search`. */
export class SearchResults {
  @ObjectMember(searchGroupsOfRun, { description: 'The groups that were asked for, best first.' })
  data: Record<string, Hit[]>;

  @ObjectMember(searchMetaOfRun)
  meta: object;
}
