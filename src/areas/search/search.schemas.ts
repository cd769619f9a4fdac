import type { ApiResponseSchemaHost } from '@nestjs/swagger';
import { MOST_COUNTED } from './group-statement';
import { searchTypes } from './query';

type Schema = ApiResponseSchemaHost['schema'];

const text = { type: 'string' };
const integer = { type: 'integer', format: 'int64' };
const nullableText = { type: 'string', nullable: true };
const nullableInteger = { type: 'integer', format: 'int64', nullable: true };

function hit(type: string, fields: Record<string, object>): object {
  const properties = {
    id: integer,
    type: { type: 'string', enum: [type] },
    title: { ...text, description: 'Plain text.' },
    snippet: {
      ...text,
      description:
        'HTML: about 160 characters around the first hit, hits inside `<mark>`, everything else escaped. Safe to show as it is.',
      example: 'My corporate <mark>printer</mark> is not working since this morning…',
    },
    score: { type: 'number', minimum: 0, maximum: 1, description: 'The higher the better; comparable inside a group.' },
    url: { type: 'string', format: 'uri' },
    ...fields,
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

const list = (items: object): object => ({ type: 'array', items });

export const ticketHit = hit('ticket', {
  code: { ...text, example: 'TCK-000123' },
  status: text,
  priority: text,
  assigned_to: nullableInteger,
  company_id: nullableInteger,
});

const groups = {
  tickets: list(ticketHit),
  companies: list(
    hit('company', {
      domains: list(text),
      email: nullableText,
      tier: text,
      status: text,
      is_vip: { type: 'boolean' },
    }),
  ),
  users: list(hit('user', { email: text, role: text, status: text, availability: text })),
  kb_articles: list(
    hit('kb_article', { status: text, slug: text, category_id: nullableInteger, language: text, visibility: text }),
  ),
};

export const searchSchema = {
  type: 'object',
  required: ['data', 'meta'],
  properties: {
    data: { type: 'object', description: 'The groups that were asked for, best first.', properties: groups },
    meta: {
      type: 'object',
      required: ['query', 'took_ms', 'totals'],
      properties: {
        query: { ...text, description: 'What was searched, without the space around it.' },
        took_ms: { type: 'number', description: 'Milliseconds in the service.' },
        totals: {
          type: 'object',
          description: `Matching records of each group, exact up to ${MOST_COUNTED}.`,
          properties: Object.fromEntries(searchTypes.map((type) => [type, { type: 'integer' }])),
        },
        totals_capped: {
          ...list({ type: 'string', enum: [...searchTypes] }),
          description: `Present when a group has more than ${MOST_COUNTED} matching records: its total says ${MOST_COUNTED}.`,
        },
        corrected: {
          type: 'object',
          additionalProperties: list(text),
          description:
            'Present when nothing was found as written: the words that were searched instead of a mistyped one.',
          example: { pritner: ['printer'] },
        },
      },
    },
  },
} as Schema;
