import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const mailTemplatesPersonal: readonly PersonalTable[] = [
  { table: 'mail_templates', texts: [...RESOURCE_TEXTS, 'subject', 'body'], free: ['kind', 'language'] },
];
