import { columnsOf, type ColumnSpec } from '../columns/column-spec';
import { type Resource, resourceOfObject } from '../resource/resource';
import type { EventKind } from '../events/event-catalogue';
import { WholeRecord } from '../events/event-domain';

const MOMENT = '2026-10-20T08:00:00.123Z';
const ID = 42;

/** Records of events that are not about a resource. */
const PLAIN: Readonly<Record<string, object>> = {
  token: { id: ID, name: 'Reporting', type: 'developer', scopes: ['read'], created_at: MOMENT, expires_at: null },
  sandbox: { now: MOMENT, ahead_seconds: 14_400 },
  quota: { month: '2026-10', used: 8001, limit: 10_000, pct: 80 },
};

/** The resource whose records an event is about. */
export function resourceOf(kind: EventKind): Resource | undefined {
  return resourceOfObject(kind.object);
}

/** An event as webhooks send it, filled with examples. */
export interface EventSample extends Record<string, unknown> {
  type: string;
  workspace_id: number;
  actor: { type: string; id: number; name: string };
  causation: Record<string, unknown>;
  data: Record<string, unknown> & { object: string; id: number };
}

/** A body as webhooks deliver it, with plausible values. */
export function eventSample(kind: EventKind, workspaceId: number): EventSample {
  const resource = resourceOf(kind);
  const record = resource ? sampleRecord(resource) : (PLAIN[kind.object] ?? {});
  const isGone = kind.type.endsWith('.deleted');
  const isChange = !kind.type.endsWith('.created') && !isGone;
  return {
    id: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071',
    type: kind.type,
    api_version: 'v1',
    timestamp: MOMENT,
    workspace_id: workspaceId,
    sequence: { id: 'seq_01976f7e1d1c7d3c8a1b2c3d4e5f6071', position: 1 },
    actor: { type: 'user', id: 12, name: 'Ada Lovelace' },
    causation: {
      root_event_id: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071',
      depth: 0,
      request_id: '01976f7e-1d1c-7d3c-8a1b-2c3d4e5f6071',
      automation_ids: [],
    },
    data: {
      ...{ object: kind.object, id: ID, [kind.object]: record },
      ...besideOf(kind),
      ...(isGone ? { deleted_at: MOMENT } : {}),
    },
    changes: isChange && resource ? sampleChanges(kind, resource) : null,
  };
}

/** What belongs to the event besides its record. */
function besideOf({ beside }: EventKind): Record<string, unknown> {
  return Object.fromEntries(Object.entries(beside).map(([name, member]) => [name, sampleMember(member)]));
}

function sampleMember(member: unknown): unknown {
  if (!(member instanceof WholeRecord)) return member;
  const resource = resourceOfObject(member.object);
  return resource ? sampleRecord(resource) : {};
}

function sampleRecord(resource: Resource): Record<string, unknown> {
  return Object.fromEntries(columnsOf(resource.entity).map((column) => [column.name, sampleValue(resource, column)]));
}

/** The field that the event is named after (`ticket.status_changed`), else the first one that can be written. */
function sampleChanges({ type }: EventKind, resource: Resource): Record<string, unknown> {
  const named = resource.column.get((type.split('.')[1] ?? '').replace(/_changed$/, ''));
  const column = named ?? resource.columns.find(({ readOnly, kind }) => !readOnly && kind === 'string');
  if (!column) return {};
  const [from, to] = column.values ? [column.values[0], column.values[1]] : [null, sampleValue(resource, column)];
  return { [column.name]: { from, to } };
}

function sampleValue(resource: Resource, column: ColumnSpec): unknown {
  if (column.name === 'id') return ID;
  const example = exampleOf(resource, column.name);
  if (example !== undefined) return example;
  if (column.name.endsWith('_at')) return column.nullable ? null : MOMENT;
  if (column.default !== undefined) return column.default;
  switch (column.kind) {
    case 'enum':
      return column.values?.[0];
    case 'integer':
    case 'number':
    case 'reference':
      return 1;
    case 'boolean':
      return false;
    case 'references':
    case 'strings':
    case 'integers':
      return [];
    case 'json':
    case 'computed':
      return null;
    case 'email':
      return 'ada@example.com';
    case 'date':
      return MOMENT.slice(0, 10);
    default:
      return column.name;
  }
}

/** The example that documents the property in the OpenAPI document. */
function exampleOf(resource: Resource, name: string): unknown {
  const documented = Reflect.getMetadata('swagger/apiModelProperties', resource.entity.prototype as object, name) as
    { example?: unknown } | undefined;
  return documented?.example;
}
