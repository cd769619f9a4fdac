import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { AnyMember, IntegerMember, ListMember, TextMember } from '../../../platform/http/answer-members';
import { isRecord } from '../../../platform/text/json';
import { listOf, type Shape, Shaped } from '../../../platform/validation/shapes';

/** Records of one request. */
const MAX_RECORDS = 500;

/** What a source calls the id of a record, the best first. */
const IDS = ['external_id', 'id', 'key'] as const;

/** The id of a record as text; null where it has none. */
export function idIn(record: Readonly<Record<string, unknown>>): string | null {
  for (const name of IDS) {
    const id = record[name];
    if (typeof id === 'number' && Number.isSafeInteger(id)) return String(id);
    if (typeof id === 'string' && id.trim() !== '' && id.length <= 190) return id.trim();
  }
  return null;
}

const sourceRecord: Shape = {
  api: { type: 'object', additionalProperties: true },
  find: (value, field, found) => {
    if (!isRecord(value)) found.push({ field, code: 'type', message: `${field} must be an object` });
    else if (idIn(value) === null)
      found.push({
        field,
        code: 'required',
        message: `${field} must have an id of 1 to 190 characters: ${IDS.join(', ')}`,
      });
  },
};

/** `POST /migration/jobs/{id}/records` */
export class PushedRecords {
  @ApiProperty({ type: 'string', maxLength: 60, required: true, example: 'tickets', description: 'What they become.' })
  @IsString()
  @MaxLength(60)
  entity: string;

  @Shaped(listOf(sourceRecord, { min: 1, max: MAX_RECORDS, of: 'records' }), {
    description: 'As the source has them, each with its `external_id`, `id` or `key`.',
    example: [{ id: 17, subject: 'Printer is jammed', created_at: '2019-03-01T08:00:00Z' }],
  })
  records: Record<string, unknown>[];
}

/** What became of pushed records. */
export class Pushed {
  @IntegerMember({ minimum: 0, example: 1, description: 'Records that wait for their turn now.' })
  accepted: number;

  @IntegerMember({ minimum: 0, example: 0, description: 'Records that are here already, or were named twice.' })
  repeated: number;
}

/** What came of one entity. */
export class ReportedEntity {
  @TextMember({ example: 'tickets' })
  entity: string;

  @IntegerMember({ minimum: 0, description: 'Records that the source has.' })
  source: number;

  @AnyMember(
    { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    { description: 'What became of them, by status.' },
  )
  records: Record<string, number>;

  @IntegerMember({ minimum: 0, description: 'Records here that they led to, and that are still here.' })
  present: number;

  @IntegerMember({ minimum: 0, description: 'Records that were made here, and are gone since.' })
  gone: number;

  @AnyMember(
    { type: 'array', items: { type: 'object', additionalProperties: true } },
    { description: 'Why records failed, the most frequent first.' },
  )
  failures: { code: string; field: string | null; count: number }[];
}

/** The source and what is here, side by side. */
export class MigrationReport {
  @ListMember(() => ReportedEntity)
  entities: ReportedEntity[];
}
