import { getSchemaPath } from '@nestjs/swagger';
import {
  AnyMember,
  EnumMember,
  FlagMember,
  IdMember,
  IntegerMember,
  ObjectMember,
  TextMember,
} from '../../platform/http/answer-members';
import { BATCH_MODES, type BatchMode } from './batch.dto';
import { BATCH_OPERATIONS, type BatchOperationName } from './batch-operations';
import { TicketComment } from './comment.entity';
import { Ticket } from './ticket.entity';

const absent = { required: false };

const record = (of: new () => object): PropertyDecorator =>
  AnyMember({ anyOf: [{ $ref: getSchemaPath(of) }, { $ref: getSchemaPath('SparseRecord') }] }, absent);

/** What an operation alone would have said in `meta`. */
class BatchResultMeta {
  @IntegerMember({ ...absent, description: 'Whom a stand-in took it for.' })
  reassigned_from?: number;
}

/** How an operation of a batch ended. */
abstract class BatchResult {
  @IntegerMember({ description: 'Place of the operation in the request.' })
  index: number;

  @TextMember(absent)
  ref?: string;

  @IntegerMember({ description: 'What the operation alone would have answered; 424 when it was not tried.' })
  status: number;

  @FlagMember()
  ok: boolean;

  @IdMember({ ...absent, description: 'The ticket.' })
  id?: number;

  @TextMember(absent)
  etag?: string;

  @ObjectMember(() => BatchResultMeta, absent)
  meta?: BatchResultMeta;

  @AnyMember({ allOf: [{ $ref: getSchemaPath('Problem') }] }, absent)
  error?: object;
}

export class BatchTicketResult extends BatchResult {
  @EnumMember(BATCH_OPERATIONS.filter((op) => op !== 'comment'))
  op: Exclude<BatchOperationName, 'comment'>;

  @record(Ticket)
  data?: object;
}

export class BatchCommentResult extends BatchResult {
  @EnumMember(['comment'])
  op: 'comment';

  @record(TicketComment)
  data?: object;
}

/** How many operations ended how. */
export class BatchSummary {
  @IntegerMember()
  total: number;

  @IntegerMember()
  succeeded: number;

  @IntegerMember()
  failed: number;

  @IntegerMember()
  skipped: number;
}

/** The answer of a batch. */
export class TicketBatchOutcome {
  @EnumMember(BATCH_MODES)
  mode: BatchMode;

  @FlagMember()
  dry_run: boolean;

  @ObjectMember(() => BatchSummary)
  summary: BatchSummary;

  @AnyMember({
    type: 'array',
    items: { oneOf: [BatchTicketResult, BatchCommentResult].map((result) => ({ $ref: getSchemaPath(result) })) },
  })
  results: (BatchTicketResult | BatchCommentResult)[];
}
