import { CreateMailTemplate, UpdateMailTemplate } from '../../src/areas/mail-templates/mail-template.dto';
import { mailTemplateResource } from '../../src/areas/mail-templates/mail-template.resource';
import { describeResource } from '../support/describe-resource';

const KINDS = ['ticket_received', 'ticket_resolved', 'rating_request', 'quote', 'report'];
/** Letters alone, a language of its own for each. */
const language = (serial: number): string =>
  `q${String.fromCharCode(97 + (serial % 26), 97 + (Math.floor(serial / 26) % 26))}`;

describeResource({
  resource: mailTemplateResource,
  path: () => '/mail-templates',
  bodies: { create: CreateMailTemplate, update: UpdateMailTemplate },
  create: (serial) => ({
    kind: KINDS[serial % KINDS.length],
    language: language(serial),
    subject: `Number ${serial}`,
    body: `Hello **${serial}**`,
    is_active: serial % 3 !== 0,
  }),
  update: (serial) => ({ subject: `Renamed ${serial}`, body: 'Other', is_active: false }),
  required: ['kind', 'language', 'subject', 'body'],
  invalid: {
    kind: ['', 7, 'no_such_kind', 'Not A Kind'],
    language: ['', 'de-AT', 'D', 7],
    subject: ['', ' ', 7, 'x'.repeat(251), '{{nonsense}}', '{{#if}}'],
    body: ['', 7, 'x'.repeat(20_001), '{{agent.name}}', '{{{ticket.code}}}'],
    is_active: ['yes'],
  },
});
