import { collected } from '../../platform/area/collected';
import type { MailKind } from '../../platform/mail/texts/mail-kind';

/** Every kind of mail there is, in the order of the areas. */
export const MAIL_KINDS: readonly MailKind[] = collected(({ mails }) => mails);
