import { TextMember } from '../../platform/http/answer-members';

/** Who accepted a quote. */
export class AcceptedBy {
  @TextMember()
  name: string;

  @TextMember({ nullable: true })
  email: string | null;

  @TextMember({ nullable: true })
  ip: string | null;
}
