import { eventById } from '../../platform/area/personal-copies';
import { type About, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** A message in the log is known by the Message-ID of a mail, or by the delivery of an event. */
const ofMail: About = {
  object: `'ticket'`,
  id: `(SELECT m.ticket_id FROM mail_messages m WHERE m.workspace_id = r.workspace_id AND m.message_id = r.delivery_id)`,
};

const ofDelivery = eventById(
  `(SELECT d.event_id FROM integration_deliveries d WHERE d.workspace_id = r.workspace_id ` +
    `AND d.uid = CASE WHEN r.delivery_id ~ '^[0-9a-f-]{36}$' THEN r.delivery_id::uuid END)`,
);

export const integrationsPersonal: readonly PersonalTable[] = [
  {
    table: 'integrations',
    texts: [...RESOURCE_TEXTS, 'name'],
    // Where and as whom an installation speaks to others: settings of the workspace.
    free: ['provider', 'status', 'config', 'sealed', 'events'],
  },
  { table: 'integration_states', key: ['integration_id'], texts: ['last_error'] },
  { table: 'integration_deliveries', free: ['status'] },
  {
    table: 'integration_logs',
    about: [ofMail, ofDelivery],
    texts: ['url', 'request_headers', 'request_body', 'response_body', 'error', 'delivery_id'],
    free: ['direction', 'event', 'status', 'http_method', 'request_id'],
    // What was sent and answered because of something of theirs: that it was stays.
    rule: ({ values, about, mentions }) => {
      if (!about.some(Boolean) && !mentions(values.request_headers)) return;
      Object.assign(values, { request_body: null, response_body: null, request_headers: {} });
    },
    copy: true,
    log: {},
  },
];
