import { withinDepth } from '../../src/platform/mail/html-depth';
import { useApp } from '../support/app';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);

/** A text of any characters as a header has it (RFC 2047). */
const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
const base64 = {
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Transfer-Encoding': 'base64',
};

it('cuts a long subject and a long name between characters, and takes the message', async () => {
  const subject = `${'s'.repeat(253)}🖨🖨🖨`;
  const name = `${'n'.repeat(253)}🖨🖨🖨`;
  test.imap.deliver(ada({ Subject: word(subject), From: `${word(name)} <ada@people.example>` }));
  await test.look();
  expect(await test.tickets()).toMatchObject([
    { subject: `${'s'.repeat(253)}🖨…`, requester_name: `${'n'.repeat(253)}🖨…` },
  ]);
  expect((await test.logs()).map(({ status }) => status)).toEqual(['success']);
});

it('says so where there is nothing to be seen in a message', async () => {
  test.imap.deliver(
    ada({ ...base64, Subject: word('\u200b\u2800') }),
    Buffer.from('\u200b\u200d\u3164\n\u2063').toString('base64'),
  );
  await test.look();
  expect(await test.tickets()).toMatchObject([{ subject: '(no subject)', description: '(empty message)' }]);
});

describe('HTML with elements within each other', () => {
  const html = { 'MIME-Version': '1.0', 'Content-Type': 'text/html; charset=utf-8' };

  it('without an end is read as far as anybody would write it, and so is the next message', async () => {
    const tables = `<p>Help</p>${'<table><tr><td>'.repeat(60_000)}`;
    test.imap.deliver(ada({ ...html, 'Message-ID': '<t@x>' }), tables);
    test.imap.deliver(ada({ ...html, 'Message-ID': '<d@x>' }), `${'<div>'.repeat(200_000)}never`);
    test.imap.deliver(ada({ ...html, 'Message-ID': '<n@x>' }), '<p>Next</p>');
    await test.look();
    expect((await test.tickets()).map(({ description }) => (description as string).slice(0, 4))).toEqual([
      'Help',
      '…',
      'Next',
    ]);
  });

  it('is cut behind 500 of them; ends that nobody writes are known', () => {
    const rows = '<tr><td>a<td>b'.repeat(2_000);
    for (const whole of ['<p>a<br>'.repeat(5_000), `<table>${rows}</table>`, `<ul>${'<li>x'.repeat(3_000)}</ul>`])
      expect(withinDepth(whole)).toBe(whole);
    const deep = '<b><i>'.repeat(400);
    expect(withinDepth(deep)).toBe('<b><i>'.repeat(250));
    expect(withinDepth('<dl>' + '<dt>a<dd>b'.repeat(900) + '</dl>')).toContain('</dl>');
    expect(withinDepth(`${'<div>'.repeat(499)}${'</div>'.repeat(499)}<p>end`)).toContain('end');
  });

  it('beside text that says something else is read, too; in place of text it is not read twice', async () => {
    const parts = (...some: string[]): string => [...some.map((part) => `--b\r\n${part}`), '--b--'].join('\r\n');
    const both = (kind: string, id: string): void =>
      test.imap.deliver(
        ada({ 'MIME-Version': '1.0', 'Content-Type': `multipart/${kind}; boundary=b`, 'Message-ID': id }),
        parts('Content-Type: text/plain\r\n\r\nFirst', 'Content-Type: text/html\r\n\r\n<p>Second <b>part</b></p>'),
      );
    both('mixed', '<m@x>');
    both('alternative', '<a@x>');
    await test.look();
    expect((await test.tickets()).map(({ description }) => (description as string).split(/\s+/))).toEqual([
      ['First', 'Second', 'part'],
      ['First'],
    ]);
  });
});
