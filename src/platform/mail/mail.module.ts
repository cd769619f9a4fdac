import { Global, Module } from '@nestjs/common';
import { MailAccounts } from './mail-accounts';
import { MailFiles } from './mail-files';
import { MailDeliverer } from './mail-deliverer';
import { Mailer } from './mailer';
import { SmtpClient } from './smtp-client';

/** Mail out: areas inject Mailer; who knows the workspaces' accounts tells MailAccounts. */
@Global()
@Module({
  providers: [MailFiles, Mailer, MailDeliverer, MailAccounts, SmtpClient],
  exports: [Mailer, MailAccounts, SmtpClient],
})
export class MailModule {}
