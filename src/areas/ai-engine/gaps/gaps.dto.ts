import {
  AnyMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { LocalWindowParameter, QueryParameter } from '../../../platform/query/members';
import { integer } from '../../../platform/query/values';
import { invalid } from '../../../platform/errors/api-error';
import type { QuestionGroup } from './group-questions';

const MOST = 100;

/** Parameters of `GET /ai-engine/gaps`. */
export class GapsQuery {
  @LocalWindowParameter('to', {
    description: "Date of the workspace's time zone, which is included, or timestamp, which is not; default: now.",
  })
  to?: number;

  @LocalWindowParameter('from', { description: 'Date or timestamp; default: 30 days before `to`.' })
  from?: number;

  @QueryParameter(
    { description: 'So many groups at most; 20 unless given.' },
    { type: 'integer', minimum: 1, maximum: MOST },
    (raw, name) => {
      const value = integer(raw, name);
      return value >= 1 && value <= MOST ? value : invalid(name, 'max', `"${name}" must be from 1 to ${MOST}.`);
    },
  )
  limit?: number;
}

class Gap implements QuestionGroup {
  @TextMember({ description: 'In the words of one customer: the question that the others are most like.' })
  question: string;

  @IntegerMember({ minimum: 1 })
  count: number;

  @NumberMember({
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'Share of what was asked that any source said at best.',
  })
  best_score: number | null;

  @MomentMember()
  first_asked_at: string;

  @MomentMember()
  last_asked_at: string;

  @AnyMember(
    { type: 'array', items: { type: 'integer', format: 'int64' } },
    { description: 'Where it was asked; at most ten.' },
  )
  conversation_ids: number[];
}

/** Answer of `GET /ai-engine/gaps`. */
export class Gaps {
  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @IntegerMember({ minimum: 0, description: 'Questions that were looked at: the newest 1,000 at most.' })
  questions: number;

  @ListMember(() => Gap, { description: 'What is asked most first.' })
  gaps: QuestionGroup[];
}
