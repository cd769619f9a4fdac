import hoodiecrow from 'hoodiecrow-imap';
import { type ParsedMail, simpleParser } from 'mailparser';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

const PASSWORD = 'mail-password-1';

/** A real IMAP server on the loopback interface, with one mailbox. */
export class ImapServer {
  private server = this.create();

  /** Settings of an imap installation that reads it. */
  config(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      host: '127.0.0.1',
      port: this.server.server.address().port,
      security: 'opportunistic',
      username: 'support',
      password: PASSWORD,
      address: 'support@acme.example',
      import_existing: true,
      ...more,
    };
  }

  /** Puts a message into the mailbox: headers one per line, then the text. */
  deliver(headers: Readonly<Record<string, string>>, text = 'Hello'): void {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    this.deliverRaw(`${lines.join('\r\n')}\r\n\r\n${text.replaceAll(/\r?\n/g, '\r\n')}`);
  }

  deliverRaw(raw: string): void {
    this.server.appendMessage('INBOX', [], null, raw);
  }

  get messages(): { uid: number; flags: string[] }[] {
    return this.server.getMailbox('INBOX').messages;
  }

  /** Numbers everything anew, as servers do after a restore. */
  renumber(): void {
    const folder = this.server.getMailbox('INBOX');
    folder.uidvalidity += 1;
    folder.messages.forEach((message, index) => (message.uid = index + 1));
    folder.uidnext = folder.messages.length + 1;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
    this.server = this.create();
  }

  private create(): ReturnType<typeof hoodiecrow> {
    return hoodiecrow({
      plugins: ['ID', 'UNSELECT', 'ENABLE', 'UIDPLUS'],
      users: { support: { password: PASSWORD } },
      storage: { INBOX: { messages: [] } },
    });
  }
}

/** A mail as an SMTP server took it. */
export interface TakenMail {
  from: string;
  to: string[];
  raw: string;
  mail: ParsedMail;
}

/** A real SMTP server on the loopback interface; refuses what it is told to. */
export class SmtpReceiver {
  readonly taken: TakenMail[] = [];
  /** Reply code for the next recipients; null = take them. */
  refuse: number | null = null;
  /** What it says then. */
  words = 'Refused by the test';
  private server: SMTPServer | null = null;

  /** @param certificate offered by STARTTLS; null = no encryption */
  constructor(private readonly certificate: { cert: string; key: string } | null = null) {}

  config(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      host: '127.0.0.1',
      port: this.port,
      security: 'opportunistic',
      username: 'helpdesk',
      password: PASSWORD,
      from_address: 'helpdesk@acme.example',
      from_name: 'Acme Support',
      ...more,
    };
  }

  get port(): number {
    return (this.server?.server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    const server = new SMTPServer({
      ...(this.certificate === null ? { disabledCommands: ['STARTTLS'] } : this.certificate),
      authOptional: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        if (username === 'helpdesk' && password === PASSWORD) done(null, { user: username });
        else done(new Error('Wrong password'));
      },
      onRcptTo: (_address, _session, done) => {
        if (this.refuse === null) done();
        else done(Object.assign(new Error(this.words), { responseCode: this.refuse }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8');
          const { mailFrom, rcptTo } = session.envelope;
          void simpleParser(raw).then((mail) => {
            this.taken.push({
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map(({ address }) => address),
              raw,
              mail,
            });
            done(null, 'Taken by the test');
          });
        });
      },
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = null;
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }
}

/** An IMAP server for each test of a file. */
export function useImapServer(): ImapServer {
  const imap = new ImapServer();
  beforeEach(() => imap.listen());
  afterEach(() => imap.close());
  return imap;
}

/** An SMTP server for the tests of a file; before each it forgets what it took and refuses nothing. */
export function useSmtpServer(certificate: { cert: string; key: string } | null = null): SmtpReceiver {
  const smtp = new SmtpReceiver(certificate);
  beforeAll(() => smtp.listen());
  beforeEach(() => {
    smtp.taken.length = 0;
    smtp.refuse = null;
    smtp.words = 'Refused by the test';
  });
  afterAll(() => smtp.close());
  return smtp;
}
