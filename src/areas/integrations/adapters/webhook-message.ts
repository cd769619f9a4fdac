import type { EventFacts } from './notice';
import { firstCharacters } from '../../../platform/text/normalise';

const MAX_BYTES = 262_144;
const KEPT = 10_000;

/** The body of product reference 5.2, made of the event row alone: every attempt sends the same bytes. */
export function webhookBody(event: EventFacts): string {
  const body = compose(event, event.data);
  if (Buffer.byteLength(body) <= MAX_BYTES || typeof event.data?.description !== 'string') return body;
  const data = { ...event.data, description: firstCharacters(event.data.description, KEPT) };
  return compose(event, data, [`data.${event.object}.description`]);
}

function compose(event: EventFacts, record: EventFacts['data'], truncated?: string[]): string {
  return JSON.stringify({
    id: event.uid,
    type: event.type,
    api_version: 'v1',
    timestamp: event.created_at,
    workspace_id: event.workspace_id,
    sequence: { id: event.sequence_id, position: event.position },
    actor: event.actor,
    causation: event.causation,
    data: {
      object: event.object,
      id: event.object_id,
      [event.object]: record,
      ...event.related,
      ...(event.type.endsWith('.deleted') ? { deleted_at: event.created_at } : {}),
    },
    changes: event.changes,
    ...(truncated ? { truncated } : {}),
  });
}
