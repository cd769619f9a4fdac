import { eventByUid } from '../../platform/area/personal-copies';
import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const webhooksPersonal: readonly PersonalTable[] = [
  {
    table: 'webhooks',
    texts: [...RESOURCE_TEXTS, 'url', 'description', 'filter', 'deactivated_reason'],
    free: ['events', 'status', 'headers', 'headers_sealed', 'secret_sealed', 'secret_hint', 'previous_secret_sealed'],
  },
  {
    table: 'webhook_deliveries',
    about: [eventByUid('r.event_id')],
    // A receiver may answer with what it was sent.
    erase: { response_body: null },
    texts: ['attempts', 'response_body'],
    free: ['event_id', 'event', 'status'],
    copy: true,
    log: { only: `r.status NOT IN ('pending', 'retrying')` },
  },
];
