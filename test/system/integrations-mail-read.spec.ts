import { readMail } from '../../src/areas/integrations/mail-in/incoming-mail';
import { replyText } from '../../src/areas/integrations/mail-in/reply-text';
import { htmlText } from '../../src/platform/mail/html-text';
import { hasTooManyMarks } from '../../src/platform/text/marks';

function message(text: string, subject = 'Help'): Buffer {
  return Buffer.from(
    `From: Ada <ada@people.example>\r\nTo: support@acme.example\r\nSubject: =?UTF-8?B?${Buffer.from(subject).toString('base64')}?=\r\n` +
      `Message-ID: <1@people.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`,
  );
}

const read = (source: Buffer): ReturnType<typeof readMail> => readMail(source, htmlText);

describe('reading a mail', () => {
  it('leaves out combining marks beyond 30 in a row, and says so', async () => {
    const run = `o${'\u0301\u0323'.repeat(32_000)}`;
    const mail = await read(message(`Hell${run} there`, `Hell${run.slice(0, 100)}`));
    expect(mail.marksCut).toBe(true);
    expect(mail.text).toBe(`Hell${run.slice(0, 31)} there`);
    expect([mail.subject, mail.text].some(hasTooManyMarks)).toBe(false);
  });

  it('leaves genuine marks alone', async () => {
    const text = 'Tôi không thể đăng nhập. בְּרֵאשִׁ֖ית बहुत धन्यवाद';
    expect(await read(message(text, text))).toMatchObject({ text, subject: text, marksCut: false });
  });

  it('takes blanks from the ends of lines, but for that of a signature mark', async () => {
    const mail = await read(message('one  \ntwo \t\n-- \nAda'));
    expect(mail.text).toBe('one\ntwo\n-- \nAda');
  });

  // Each of these took the square of its length, which no patience outlasts.
  it.each([
    ['blanks between letters', `a${' '.repeat(250_000)}b`],
    ['blanks before quotes', `${' '.repeat(250_000)}>`],
    ['attributions', 'On Monday Ada wrote:\n\n'.repeat(11_000)],
    ['attributions before quotes', `${'On Monday Ada wrote:\n'.repeat(6_000)}${'> a\n'.repeat(20_000)}b`],
    ['quotes', '> \n'.repeat(80_000)],
    ['dashes', '-'.repeat(250_000)],
    ['dashes and blanks', '- '.repeat(125_000)],
    ['headers', 'From: a\nTo: b\n'.repeat(18_000)],
  ])('ends, whatever it is made of: %s', async (_name, text) => {
    const mail = await read(message(text));
    expect(replyText(mail.text).length).toBeLessThanOrEqual(text.length);
  });
});
