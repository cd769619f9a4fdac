import { ERASED_ADDRESS, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** The record itself; what is erased of it at once, and again where plug-ins and other forms of it kept something. */
export const CONTACT_LOSSES = {
  name: null,
  phone: null,
  mobile: null,
  job_title: null,
  language: null,
  timezone: null,
  mail_status: 'ok',
  mail_bounced_at: null,
  mail_bounce_reason: null,
  notes: null,
  tags: '',
  external_id: null,
  custom_fields: {},
} as const;

export const contactsPersonal: readonly PersonalTable[] = [
  {
    table: 'contacts',
    own: {
      object: 'contact',
      of: ({ contact }) => `r.id = ${contact}`,
      erase: CONTACT_LOSSES,
      inCopies: { email: ERASED_ADDRESS },
    },
    texts: [...RESOURCE_TEXTS, 'email', 'name', 'phone', 'mobile', 'job_title', 'mail_bounce_reason', 'notes', 'tags'],
    free: ['language', 'timezone', 'status', 'mail_status'],
  },
];
