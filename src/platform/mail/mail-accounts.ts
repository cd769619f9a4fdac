import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import type { MailFailure } from './mail-failure';
import { operatorAccount, type SmtpAccount } from './smtp-account';

/** How one attempt to send a mail ended, for whoever keeps a log of the account. */
export interface MailAttempt {
  messageId: string;
  recipients: readonly string[];
  subject: string;
  durationMs: number;
  attempt: number;
  response: string | null;
  failure: MailFailure | null;
  willRetry: boolean;
}

/** An account with whoever wants to know what became of its mail. */
export interface MailAccount {
  account: SmtpAccount;
  /** Runs in the transaction that settles the attempt. */
  report?: (attempt: MailAttempt) => Promise<void>;
}

/** Finds the account that mail of the current workspace leaves through. */
@Injectable()
export class MailAccounts {
  private source: () => Promise<MailAccount | null> = () => Promise.resolve(null);
  private sender: () => Promise<string | null> = () => Promise.resolve(null);
  private senders: (workspaceIds: readonly number[]) => Promise<readonly number[]> = () => Promise.resolve([]);
  private readonly operator: SmtpAccount | null;

  constructor(@Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'smtpUrl' | 'mailFrom' | 'mailDkim'>) {
    this.operator = operatorAccount(config.smtpUrl, config.mailFrom, config.mailDkim);
  }

  /**
   * Sets who knows the accounts of workspaces.
   *
   * @param source asked inside the workspace, outside a transaction
   * @param sender the address that the account's mail leaves as; asked inside a transaction of the workspace
   * @param senders those of several workspaces that have one; asked as the platform
   */
  provide(
    source: () => Promise<MailAccount | null>,
    sender: () => Promise<string | null>,
    senders: (workspaceIds: readonly number[]) => Promise<readonly number[]>,
  ): void {
    this.source = source;
    this.sender = sender;
    this.senders = senders;
  }

  /** The address that mail of the current workspace leaves as; null when none can. Inside a unit of work. */
  async senderAddress(): Promise<string | null> {
    return (await this.sender()) ?? this.operatorAddress;
  }

  /** Those of several workspaces whose mail can leave. Inside `Database.system()`. */
  async sending(workspaceIds: readonly number[]): Promise<readonly number[]> {
    return this.operator ? workspaceIds : this.senders(workspaceIds);
  }

  /** The workspace's own account, else the operator's, else null. */
  async current(): Promise<MailAccount | null> {
    return (await this.source()) ?? (this.operator ? { account: this.operator } : null);
  }

  /** Whether the operator has set up an account that serves every workspace. */
  get hasOperator(): boolean {
    return this.operator !== null;
  }

  /** Address that mail of the operator's account leaves as. */
  get operatorAddress(): string | null {
    return this.operator?.from.address ?? null;
  }
}
