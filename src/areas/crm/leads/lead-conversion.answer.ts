import { getSchemaPath } from '@nestjs/swagger';
import { AnyMember } from '../../../platform/http/answer-members';

const of = (record: string): Record<string, unknown> => ({ allOf: [{ $ref: getSchemaPath(record) }] });

/** Answer of `POST /crm/leads/{id}/convert`: the records, as they are answered everywhere. */
export class ConvertedLead {
  @AnyMember(of('Lead'))
  lead: object;

  @AnyMember(of('Deal'))
  deal: object;

  @AnyMember(of('Company'), { nullable: true })
  company: object | null;

  @AnyMember(of('Contact'), { nullable: true })
  contact: object | null;
}
