import { Global, Module } from '@nestjs/common';
import { MailAccounts } from './mail-accounts';
import { MailAddresses } from './mail-addresses';
import { MailFiles } from './mail-files';
import { MailDeliverer } from './mail-deliverer';
import { MailHistories } from './mail-histories';
import { MailOutcomes } from './mail-outcomes';
import { MailLetters } from './letter/mail-letters';
import { MailTexts } from './texts/mail-texts';
import { Mailer } from './mailer';
import { SmtpClient } from './smtp-client';

/** Mail out: areas inject Mailer; who knows the workspaces' accounts tells MailAccounts. */
@Global()
@Module({
  providers: [
    MailAddresses,
    MailFiles,
    MailHistories,
    MailLetters,
    MailOutcomes,
    MailTexts,
    Mailer,
    MailDeliverer,
    MailAccounts,
    SmtpClient,
  ],
  exports: [Mailer, MailAccounts, MailAddresses, MailHistories, MailLetters, MailOutcomes, MailTexts, SmtpClient],
})
export class MailModule {}
