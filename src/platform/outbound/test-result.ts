import { EnumMember, IntegerMember, ObjectMember, TextMember } from '../http/answer-members';

/** Why another system was not reached, or did not let us in. */
export class TestError {
  @TextMember({ description: 'A word for programs.' })
  code: string;

  @TextMember()
  message: string;
}

/** How a test of a connection to another system went. */
export class TestResult {
  @EnumMember(['success', 'failed'])
  status: 'success' | 'failed';

  @IntegerMember({ nullable: true })
  response_status: number | null;

  @IntegerMember()
  duration_ms: number;

  @ObjectMember(() => TestError, { nullable: true })
  error: TestError | null;
}
