import type { SmtpAccount } from './smtp-account';
import { headerText } from './mail-address';

/** How a workspace wants to be known by mail: settings of it, each null or absent until it says so. */
export interface MailIdentity {
  /** Name that mail is sent under. */
  mail_from_name: string | null;
  /** Where answers go that have no other address to go to. */
  mail_reply_to: string | null;
  /** What stands below mail to customers; Markdown. */
  mail_signature: string | null;
}

const MAX_NAME = 100;

/** The account as it introduces itself for the workspace. */
export function accountAs(
  account: SmtpAccount,
  { mail_from_name: name, mail_reply_to: replyTo }: Partial<MailIdentity>,
): SmtpAccount {
  return {
    ...account,
    from: name ? { ...account.from, name: headerText(name, MAX_NAME) } : account.from,
    replyTo: replyTo ?? account.replyTo,
  };
}
