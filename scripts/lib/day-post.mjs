import { once } from 'node:events';
import hoodiecrow from 'hoodiecrow-imap';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

const [USER, PASSWORD] = ['desk', 'password-of-the-day'];
const HOST = '127.0.0.1';
/** The mail servers of the desk, on this machine: a mailbox that customers write to, and what they get. */
export class Post {
  /** Mails that left, as customers read them, oldest first. */
  got = [];
  #mailbox = hoodiecrow({
    plugins: ['ID', 'UNSELECT', 'ENABLE', 'UIDPLUS'],
    users: { [USER]: { password: PASSWORD } },
    storage: { INBOX: { messages: [] } },
  });
  #outgoing = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD ? done(null, { user: USER }) : done(new Error('Wrong password')),
    onData: (stream, _session, done) =>
      simpleParser(stream).then((mail) => {
        this.got.push(mail);
        done();
      }, done),
  });

  /** @param address where customers write to, and where answers come from */
  constructor(address) {
    this.address = address;
  }

  async open() {
    await new Promise((resolve) => this.#mailbox.listen(0, HOST, resolve));
    this.#outgoing.listen(0, HOST);
    await once(this.#outgoing.server, 'listening');
  }

  async close() {
    await new Promise((resolve) => this.#outgoing.close(resolve));
    await new Promise((resolve) => this.#mailbox.close(resolve));
  }

  /** Settings of the integrations that use them. */
  settings() {
    const account = { host: HOST, security: 'opportunistic', username: USER, password: PASSWORD };
    return {
      smtp: {
        ...{ ...account, port: this.#outgoing.server.address().port },
        ...{ from_address: this.address, from_name: 'Service desk of the day' },
      },
      imap: {
        ...{ ...account, port: this.#mailbox.server.address().port },
        ...{ address: this.address, import_existing: true, max_per_sender_per_hour: 1_000 },
      },
    };
  }

  /** Puts a message into the mailbox: headers, then lines. */
  deliver(headers, lines) {
    const head = Object.entries({ To: this.address, ...headers }).map(([name, value]) => `${name}: ${value}`);
    this.#mailbox.appendMessage('INBOX', [], null, [...head, '', ...lines].join('\r\n'));
  }
}
