import { defineResource } from '../../platform/resource/resource';
import { MailTemplate } from './mail-template.entity';

export const mailTemplateResource = defineResource(MailTemplate, {
  name: 'mail_templates',
  singular: 'mail_template',
  table: 'mail_templates',
  sort: { kind: { column: 'kind', type: 'text' } },
  defaultSort: 'kind',
  filter: ['kind', 'language', 'is_active'],
  search: { view: 'mail_templates_search', over: ['kind', 'subject', 'texts of custom_fields'] },
  notice: { path: '/mail-templates', title: ['kind', 'language'] },
});
