import type { ErrorDetail } from '../../../platform/errors/api-error';
import { saidIn } from '../../../platform/columns/not-blank';
import { objectOf, problemsIn } from '../../../platform/validation/shapes';
import type { Arrival, Peer } from '../adapters/adapter';
import { type ArrivedPeer, InboundMessage } from './inbound.dto';

const shape = objectOf(InboundMessage);

type Lack = Pick<ErrorDetail, 'field' | 'code' | 'message'>;

/** What a program told, as adapters tell it; or what is wrong with it, in one sentence. */
export function readArrival(value: unknown): Arrival | string {
  if (!isTold(value)) return problemsIn(shape, value, 'body')[0]?.message ?? '';
  return lackOf(value)?.message ?? arrivalOf(value);
}

/** What it leaves out that its `type` needs; null when nothing. */
export function lackOf({ type = 'message', from, body, status, emoji }: InboundMessage): Lack | null {
  const needed = (field: string): Lack => ({ field, code: 'required', message: `"${field}" is needed in a ${type}.` });
  if ((type === 'message' || type === 'reaction') && from === undefined) return needed('from');
  if ((type === 'message' || type === 'edit') && body === undefined) return needed('body');
  if (type === 'status' && status === undefined) return needed('status');
  if (type === 'reaction' && emoji === undefined) return needed('emoji');
  const names =
    from === undefined ? 1 : [from.email, from.phone, from.handle].filter((each) => each !== undefined).length;
  if (names !== 1)
    return { field: 'from', code: 'invalid', message: '"from" must name one of "email", "phone" and "handle".' };
  return null;
}

/** What was told, complete, as adapters tell it. */
export function arrivalOf({ type = 'message', external_message_id, sent_at, ...rest }: InboundMessage): Arrival {
  const at = sent_at === undefined ? null : new Date(sent_at).toISOString();
  const from = peerOf(rest.from);
  switch (type) {
    case 'status': {
      const message = rest.error ?? 'The other side did not take it.';
      const error = rest.status === 'failed' ? { code: 'refused', message } : null;
      return { kind: 'status', external_message_id, status: rest.status ?? 'sent', error, at };
    }
    case 'edit':
      return { kind: 'edit', external_message_id, body: rest.body ?? '' };
    case 'deletion':
      return { kind: 'deletion', external_message_id };
    case 'reaction':
      return { kind: 'reaction', external_message_id, from, emoji: rest.emoji ?? '', removed: rest.removed ?? false };
    case 'message':
      return {
        kind: 'message',
        external_message_id,
        from,
        conversation: rest.conversation ?? addressOf(from),
        reply_to: addressOf(from),
        subject: rest.subject ?? null,
        body: rest.body ?? '',
        message_type: rest.message_type ?? 'text',
        sent_at: at,
        in_reply_to: rest.in_reply_to ?? null,
        metadata: rest.metadata ?? {},
      };
  }
}

/** What somebody is written to by. */
export function addressOf({ email, phone, handle }: Peer): string {
  return email ?? phone ?? handle ?? '';
}

function peerOf({ email, phone, handle, ...rest }: ArrivedPeer = {}): Peer {
  const name = saidIn(rest.name);
  if (email !== undefined) return { email: email.trim().toLowerCase(), name };
  return phone === undefined ? { handle: handle ?? '', name } : { phone, name };
}

function isTold(value: unknown): value is InboundMessage {
  return problemsIn(shape, value, 'body').length === 0;
}
