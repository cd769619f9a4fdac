import type { ApiResponseSchemaHost } from '@nestjs/swagger';

type Schema = ApiResponseSchemaHost['schema'];

const text = { type: 'string' };
const integer = { type: 'integer' };
const timestamp = { type: 'string', format: 'date-time' };
const nullableTimestamp = { type: 'string', format: 'date-time', nullable: true };

function object(properties: Record<string, object>, nullable = false): object {
  return { type: 'object', required: Object.keys(properties), properties, ...(nullable ? { nullable } : {}) };
}

const check = object({
  status: { type: 'string', enum: ['ok', 'down'] },
  latency_ms: { type: 'number', nullable: true },
});

export const healthSchema = object({
  status: { type: 'string', enum: ['ok', 'degraded'] },
  version: text,
  time: timestamp,
  checks: object({ database: check, queue: check }),
  reasons: {
    type: 'array',
    items: { type: 'string' },
    description: 'Why it is degraded, a sentence each; empty when it is not.',
  },
}) as Schema;

export const readySchema = object({ status: { type: 'string', enum: ['ready'] } }) as Schema;

export const identitySchema = object({
  data: object({
    token: object({
      id: integer,
      type: { type: 'string', enum: ['developer', 'tenant'] },
      name: text,
      scopes: { type: 'array', items: { type: 'string', enum: ['read', 'write', '*'] } },
      created_at: timestamp,
      expires_at: nullableTimestamp,
      last_used_at: nullableTimestamp,
    }),
    workspace: object({ id: integer, name: text, slug: text, timezone: text, locale: text, currency: text }),
    app: object(
      { id: integer, name: text, status: { type: 'string', enum: ['active', 'suspended', 'archived'] } },
      true,
    ),
    plan: object(
      {
        key: text,
        name: text,
        rate_limit_per_minute: { type: 'integer', description: '0 = unlimited' },
        monthly_quota: { type: 'integer', description: '0 = unlimited' },
        overage_enabled: { type: 'boolean' },
      },
      true,
    ),
    usage: object({
      month: { type: 'string', example: '2026-11' },
      used: integer,
      limit: integer,
      pct: integer,
      resets_at: timestamp,
    }),
    user: object({ id: integer, name: text, email: { type: 'string', format: 'email' }, role: text }, true),
  }),
}) as Schema;
