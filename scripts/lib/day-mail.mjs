import { ImportError } from './api-client.mjs';

/** Where customers write to, and where answers come from. */
const ADDRESS = 'help@desk.example';
/** A mailbox is looked into within seconds; a machine that is busy takes longer. */
const LOOK_MS = 120_000;
/** How often what a busy machine may have put off is tried. */
const TRIES = 4;
/** A look that was under way when the mailbox was asked to be looked into may have missed what came, and puts off the next. */
const ASK_AGAIN_MS = 10_000;

/** Who writes by mail, and what. */
const WRITERS = [
  ['Ada Nilsson', 'The screen of my laptop stays dark', 'It beeps twice, then nothing. What can I do?'],
  ['Bert Okafor', 'Please reset my password', 'I am locked out since this morning.'],
  ['Cleo Rossi', 'No sound in meetings', 'Nobody hears me, with the headset or without.'],
];

const ANSWER = [
  'Hello,',
  '',
  'please **hold the button for ten seconds**, then:',
  '',
  '1. wait for the light',
  '2. press it once',
].join('\n');

/**
 * Opens mail servers on this machine and lets the desk use them. Null, and a line that says why, where the service may not reach this
 * machine.
 */
export async function openPost(desk) {
  // Only who plays a day needs them: an installation without the packages of developers has none.
  const { Post } = await import('./day-post.mjs');
  const post = new Post(ADDRESS);
  await post.open();
  desk.as = 'mara';
  const { smtp, imap } = post.settings();
  const out = await installed(desk, 'smtp', smtp);
  const inward = await installed(desk, 'imap', imap);
  const error = await problemOf(desk, out);
  const mail = { post, out, inward, expected: (await seenIn(desk, inward)).length };
  if (error === null) return mail;
  await closePost(desk, mail);
  desk.say(
    `08:30  No mail today: ${error.message} WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 lets the service reach this machine.`,
  );
  return null;
}

/** Why the service cannot send there, after some tries: this machine may be busy. Null when it can. */
async function problemOf(desk, { id }) {
  for (let tries = 1; ; tries++) {
    const { status, error } = await desk.send('POST', `/integrations/${id}/test`);
    if (status === 'success') return null;
    if (tries === TRIES) return error;
  }
}

/** The integrations stay, switched off: their servers are gone. */
export async function closePost(desk, { post, out, inward }) {
  desk.as = 'mara';
  for (const { id } of [out, inward]) await desk.send('PATCH', `/integrations/${id}`, { status: 'disabled' });
  await post.close();
}

/**
 * Three customers write by mail and are answered by Ines. One answers back, the mail to another is returned, the third is out of
 * office. Whatever goes another way than it should ends the day.
 *
 * @param day of the desk; names the messages
 * @returns their tickets
 */
export async function mailRound(desk, mail, { team }, day) {
  const { post } = mail;
  const mark = day.toFormat('yyyyMMdd');
  const writers = WRITERS.map(([name, subject, text], place) => {
    const address = `${name.split(' ')[0].toLowerCase()}.${mark}@customers.example`;
    return { name, subject, text, address, id: `<${mark}.${place}@customers.example>` };
  });
  for (const { name, address, id, subject, text } of writers)
    post.deliver({ From: `"${name}" <${address}>`, Subject: subject, 'Message-ID': id }, [text]);
  await look(desk, mail, 3);
  const tickets = [];
  desk.as = 'ines';
  for (const { address } of writers) {
    const [ticket] = await desk.list(`/tickets?requester_email=${address}&channel=email`);
    check(ticket, `the mail of ${address} made no ticket`);
    tickets.push(ticket);
    await desk.send('POST', `/tickets/${ticket.id}/assign`, { user_id: desk.people.ines.id, team_id: team.id });
    await desk.by('ines', 'answered', () => desk.send('POST', `/tickets/${ticket.id}/comments`, { body: ANSWER }));
  }
  // What is queued leaves before the clock is settled, or was put off for a minute or more.
  const isThere = ({ address }) => letterOf(post, address) !== undefined;
  for (let tries = 1; tries === 1 || (tries <= TRIES && !writers.every(isThere)); tries++)
    await desk.clock({ advance: 'PT2M' });
  const letters = writers.map((writer, place) => letterTo(post, writer, tickets[place]));
  desk.say(`       Three wrote by mail; Ines answered each in its thread, as ${letters[0].from.text}`);
  await answersCome(desk, mail, writers, tickets, letters);
  for (const { id } of tickets)
    await desk.by('ines', 'resolved', () => desk.send('PATCH', `/tickets/${id}`, { status: 'resolved' }));
  return tickets;
}

/** The mail that a customer got, after a look at what makes it one to trust. */
function letterTo(post, { address, id }, { code }) {
  const letter = letterOf(post, address);
  check(letter, `${address} got no mail`);
  const { subject, inReplyTo, references, messageId, text, html, headers } = letter;
  check(subject.includes(`[${code}]`) && subject.startsWith('Re: '), `the subject is "${subject}"`);
  check(inReplyTo === id && [references].flat().includes(id), 'it stands in no thread');
  check(messageId.toLowerCase().startsWith(`<${code.toLowerCase()}`), `its id is ${messageId}`);
  check(messageId.endsWith(`@${ADDRESS.split('@')[1]}>`), `its id is of another domain: ${messageId}`);
  check(!headers.has('auto-submitted'), 'it says that no person wrote it');
  check(text.startsWith('##-') && text.includes('hold the button for ten seconds, then:'), 'its text is another');
  check(text.includes('-- \nInes Ortega') && text.includes('\n> '), 'nobody has signed it, or it repeats nothing');
  check(html.includes('<strong>hold the button for ten seconds</strong>'), 'its HTML is another');
  check(html.includes('<li') && !/<(script|img src="http)/i.test(html), 'its HTML is another');
  return letter;
}

function letterOf({ got }, address) {
  return got.find(({ to }) => to.value.some((one) => one.address === address));
}

/** Ada answers below nothing but our line, the mail to Bert comes back, Cleo's program answers for her. */
async function answersCome(desk, mail, [ada, bert, cleo], tickets, [toAda, toBert, toCleo]) {
  const { post } = mail;
  const re = (to) => ({ Subject: `Re: ${to.subject}`, 'In-Reply-To': to.messageId });
  const quote = toAda.text.split('\n').map((line) => `> ${line}`);
  const from = ({ name, address }) => `"${name}" <${address}>`;
  post.deliver({ From: from(ada), ...re(toAda), 'Message-ID': ada.id.replace('<', '<re.') }, [
    'It works again, thank you!',
    ...['', `On Mon, 3 Mar at 9:20, Service desk <${ADDRESS}> wrote:`, ...quote],
  ]);
  post.deliver(...returned(toBert, bert.address));
  const away = { 'Auto-Submitted': 'auto-replied', 'Message-ID': cleo.id.replace('<', '<away.') };
  post.deliver({ From: from(cleo), ...re(toCleo), ...away }, ['I am back on Monday.']);
  await look(desk, mail, 3);
  const [ofAda, ofBert, ofCleo] = await Promise.all(tickets.map(({ id }) => desk.list(`/tickets/${id}/comments`)));
  const last = ofAda.at(-1);
  check(last.author_type === 'requester' && last.body === 'It works again, thank you!', `Ada wrote "${last.body}"`);
  check(ofBert.at(-1).is_internal && ofBert.at(-1).body.includes('no such mailbox'), 'nobody was told of Bert');
  check(ofCleo.length === 1, 'a machine was let in');
  const [contact] = await desk.list(`/contacts?email=${bert.address}`);
  check(contact.mail_status === 'bounced', 'Bert is not marked');
  desk.say('       Ada answered, the mail to Bert came back and he is marked, Cleo’s out-of-office note is let be');
}

/** A report that a mailbox is not there (RFC 3464), as servers write it. */
function returned({ messageId }, address) {
  const headers = {
    From: 'MAILER-DAEMON@mx.customers.example',
    ...{ Subject: 'Undelivered Mail Returned to Sender', 'Auto-Submitted': 'auto-replied' },
    ...{ 'Message-ID': messageId.replace('<', '<dsn.'), 'MIME-Version': '1.0' },
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary="B"',
  };
  const status = ['Reporting-MTA: dns; mx.customers.example', '', `Final-Recipient: rfc822; ${address}`];
  return [
    headers,
    [
      ...['--B', 'Content-Type: text/plain', '', 'Nobody lives here.', '--B'],
      ...['Content-Type: message/delivery-status', '', ...status, 'Action: failed', 'Status: 5.1.1', '', '--B'],
      ...['Content-Type: text/rfc822-headers', '', `Message-ID: ${messageId}`, '', '--B--', ''],
    ],
  ];
}

/** Lets the mailbox be looked into at once, and waits until so many messages more were taken. */
async function look(desk, mail, messages) {
  desk.as = 'mara';
  const { id } = mail.inward;
  mail.expected += messages;
  const until = Date.now() + LOOK_MS;
  for (let asked = 0; (await seenIn(desk, mail.inward)).length < mail.expected;) {
    check(Date.now() < until, 'nobody looks into the mailbox; are background workers running?');
    if (Date.now() - asked > ASK_AGAIN_MS) {
      for (const status of ['disabled', 'active']) await desk.send('PATCH', `/integrations/${id}`, { status });
      asked = Date.now();
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What the log says of messages that came in, on whatever day. */
function seenIn(desk, { id }) {
  return desk.list(`/integrations/${id}/logs?event=mail.received&per_page=100`);
}

/** The integration of the day, with the addresses that its servers have now. */
async function installed(desk, provider, config) {
  const name = `Mail of the day (${provider})`;
  const known = (await desk.list('/integrations?per_page=100')).find((one) => one.name === name);
  return known
    ? desk.send('PATCH', `/integrations/${known.id}`, { config, status: 'active' })
    : desk.send('POST', '/integrations', { provider, name, config });
}

function check(isRight, problem) {
  if (!isRight) throw new ImportError(`The mail of the day went wrong: ${problem}.`);
}
