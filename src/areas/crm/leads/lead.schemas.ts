import { getSchemaPath } from '@nestjs/swagger';
import { Lead } from './lead.entity';

const orNull = (schema: string): object => ({ nullable: true, allOf: [{ $ref: getSchemaPath(schema) }] });

/** Answer of `POST /crm/leads/{id}/convert`. */
export const conversionSchema = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['lead', 'deal', 'company', 'contact'],
      properties: {
        lead: { $ref: getSchemaPath(Lead) },
        deal: { $ref: getSchemaPath('Deal') },
        company: orNull('Company'),
        contact: orNull('Contact'),
      },
    },
  },
};
