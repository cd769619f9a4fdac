import { defineResource } from '../../platform/resource/resource';
import { MailTemplate } from './mail-template.entity';

export const mailTemplateResource = defineResource(MailTemplate, {
  name: 'mail_templates',
  singular: 'mail_template',
  table: 'mail_templates',
  sort: { kind: { column: 'kind', type: 'text' } },
  defaultSort: 'kind',
  filter: ['kind', 'language', 'is_active'],
  notice: { path: '/mail-templates', title: ['kind', 'language'] },
});
