import type { Type } from '@nestjs/common';
import {
  AnyMember,
  EnumMember,
  FlagMember,
  IdMember,
  ListMember,
  NumberMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { MOST_COUNTED } from './group-statement';
import { searchTypes } from './query';

/** What the hits of every group have; a group adds members of its records. */
function hitOf(type: string): Type {
  class SearchHit {
    @IdMember()
    id: number;

    @EnumMember([type])
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
  return SearchHit;
}

export class TicketHit extends hitOf('ticket') {
  @TextMember({ example: 'TCK-000123' })
  code: string;

  @TextMember()
  status: string;

  @TextMember()
  priority: string;

  @IdMember({ nullable: true })
  assigned_to: number | null;

  @IdMember({ nullable: true })
  company_id: number | null;
}

export class CompanyHit extends hitOf('company') {
  @AnyMember({ type: 'array', items: { type: 'string' } })
  domains: string[];

  @TextMember({ nullable: true })
  email: string | null;

  @TextMember()
  tier: string;

  @TextMember()
  status: string;

  @FlagMember()
  is_vip: boolean;
}

export class UserHit extends hitOf('user') {
  @TextMember()
  email: string;

  @TextMember()
  role: string;

  @TextMember()
  status: string;

  @TextMember()
  availability: string;
}

export class ArticleHit extends hitOf('kb_article') {
  @TextMember()
  status: string;

  @TextMember()
  slug: string;

  @IdMember({ nullable: true })
  category_id: number | null;

  @TextMember()
  language: string;

  @TextMember()
  visibility: string;
}

const Group = (of: () => Type): PropertyDecorator => ListMember(of, { required: false });

/** The groups that were asked for, best first. */
export class SearchGroups {
  @Group(() => TicketHit)
  tickets?: TicketHit[];

  @Group(() => CompanyHit)
  companies?: CompanyHit[];

  @Group(() => UserHit)
  users?: UserHit[];

  @Group(() => ArticleHit)
  kb_articles?: ArticleHit[];
}

/** The groups that the document tells of; those of plug-ins are answered as well. */
const documented = ['tickets', 'companies', 'users', 'kb_articles'] as const satisfies readonly (keyof SearchGroups)[];

export class SearchMeta {
  @TextMember({ description: 'What was searched, without the space around it.' })
  query: string;

  @NumberMember({ description: 'Milliseconds in the service.' })
  took_ms: number;

  @AnyMember(
    { type: 'object', properties: Object.fromEntries(documented.map((type) => [type, { type: 'integer' }])) },
    { description: `Matching records of each group, exact up to ${MOST_COUNTED}.` },
  )
  totals: Record<string, number>;

  @AnyMember(
    { type: 'array', items: { type: 'string', enum: searchTypes as string[] } },
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
      description: 'Present when nothing was found as written: the words that were searched instead of a mistyped one.',
      example: { pritner: ['printer'] },
    },
  )
  corrected?: Record<string, string[]>;
}

/** Answer of `GET /search`. */
export class SearchResults {
  @ObjectMember(() => SearchGroups, { description: 'The groups that were asked for, best first.' })
  data: SearchGroups;

  @ObjectMember(() => SearchMeta)
  meta: SearchMeta;
}
