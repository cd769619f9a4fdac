import fc from 'fast-check';
import { NO_BRAND, shownSize } from '../../src/platform/brand/brand';
import { contrast, ENOUGH, PAPER, paletteOf } from '../../src/platform/brand/colour';
import { compose } from '../../src/platform/mail/letter/compose';
import type { Letter } from '../../src/platform/mail/letter/letter';

const brand = {
  ...NO_BRAND,
  name: 'Acme <Support>',
  address: 'Torstraße 1\n10119 Berlin',
  website: 'https://acme.example/',
};
const letter = (more: Partial<Letter> = {}): Letter => ({ subject: 'Hello', text: 'How are you?', ...more });
const bodies = (more: Partial<Letter> = {}, signature: string | null = null): { html: string; text: string } =>
  compose({ letter: letter(more), brand, signature });

describe('colours', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

  it('can be read, whatever a workspace has chosen', () => {
    fc.assert(
      fc.property(colour, (chosen) => {
        const { accent, onAccent, link, darkLink } = paletteOf(chosen);
        expect(accent).toBe(chosen);
        expect(contrast(onAccent, accent)).toBeGreaterThanOrEqual(ENOUGH);
        expect(contrast(link, PAPER.light)).toBeGreaterThanOrEqual(ENOUGH);
        expect(contrast(darkLink, PAPER.dark)).toBeGreaterThanOrEqual(ENOUGH);
      }),
    );
  });

  it('are left as they are where they can be read, and are never anything else than a colour', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
    expect(paletteOf('#1F5FBF')).toMatchObject({ accent: '#1f5fbf', onAccent: '#ffffff', link: '#1f5fbf' });
    expect(paletteOf('red;background:url(x)').accent).toBe('#1f5fbf');
    expect(shownSize({ png: '', width: 480, height: 160 }, { width: 200, height: 56 })).toEqual([168, 56]);
    expect(shownSize({ png: '', width: 20, height: 10 }, { width: 200, height: 56 })).toEqual([20, 10]);
  });
});

describe('a mail', () => {
  it('says the same in both of its parts, and asks nobody for anything', () => {
    const { html, text } = bodies(
      {
        format: 'markdown',
        text: 'Please **restart** it & see https://docs.example/x',
        heading: 'Printer <1>',
        facts: [['When', 'now']],
        button: { label: 'Open', url: 'https://desk.example/?a=1&b=2' },
        choices: [{ label: '5 – Good', url: 'https://desk.example/5' }],
        files: [{ label: 'film.bin (11 MB)', url: 'https://desk.example/film' }],
        signature: 'Ines *Ortega*',
        signed: true,
        reference: 'TCK-000001',
      },
      'Acme **Support**',
    );
    expect(text).toBe(
      'Printer <1>\n\nPlease restart it & see https://docs.example/x\n\nWhen: now\n\nOpen: https://desk.example/?a=1&b=2\n\n' +
        '5 – Good: https://desk.example/5\n\nfilm.bin (11 MB):\nhttps://desk.example/film\n\n[TCK-000001]\n\n-- \nInes Ortega\n\nAcme Support\n',
    );
    for (const part of [
      '<strong>restart</strong>',
      'Printer &lt;1&gt;</h1>',
      'href="https://desk.example/?a=1&amp;b=2"',
    ])
      expect(html).toContain(part);
    for (const part of [
      'Acme &lt;Support&gt;',
      '10119 Berlin',
      '>acme.example<',
      '[TCK-000001]',
      'lang="en" dir="ltr"',
    ])
      expect(html).toContain(part);
    expect(html.replaceAll(/<a [^>]*>/g, '')).not.toMatch(/https?:\/\/(?!docs\.example)|<img|<link|<script|url\(/);
    expect(html).toContain('Please restart it &amp; see');
  });

  it('has words in the language of who reads it, and runs their way', () => {
    const quoted = [{ author: 'Ada <b>', at: '2026-03-03T10:00:00Z', text: '> old\n\n**bold**' }];
    const german = bodies({ language: 'de-AT', answerable: true, quoted });
    expect(german.text).toMatch(/^##- Bitte schreiben Sie Ihre Antwort über diese Zeile -##\n\nHow are you\?/);
    expect(german.text).toContain(
      'Frühere Nachrichten\n\nAda <b> schrieb am 3. März 2026 um 10:00:\n> > old\n>\n> bold\n',
    );
    expect(german.html).toContain('Ada &lt;b&gt; schrieb am');
    expect(bodies({ language: 'ar' }).html).toContain('<html lang="ar" dir="rtl">');
    expect(bodies({ language: 'xx' }).text).toBe('How are you?\n');
  });

  it('shows what is no Markdown as it was written', () => {
    const { html, text } = bodies({ text: '**not bold** [x](https://evil.example)\nsecond <i>line</i>' });
    expect(text).toBe('**not bold** [x](https://evil.example)\nsecond <i>line</i>\n');
    expect(html).toContain('**not bold** [x](');
    expect(html).toContain('second &lt;i&gt;line&lt;/i&gt;');
  });

  it.each([
    ['cells', '|a|b|\n|-|-|\n' + '|x|y|\n'.repeat(16_000)],
    ['quotes in quotes', '> '.repeat(32_000)],
    ['emphasis', '*a '.repeat(20_000)],
    ['brackets', '['.repeat(65_000)],
    ['links', '[a](b '.repeat(10_000)],
    ['addresses', 'a.co '.repeat(13_000)],
    ['marks', `e${'\u0301'.repeat(65_000)}`],
    ['list items', '- '.repeat(32_000)],
    ['code', '`'.repeat(65_000)],
    ['ampersands', '&"'.repeat(32_000)],
  ])('of hostile %s stays below what a mail program reads', (_name, text) => {
    const made = bodies({ format: 'markdown', text });
    expect(made.html.length).toBeLessThan(200_000);
    expect(made.html).toContain('</html>');
  });

  it('shows what is nested deeper than anybody reads as it was written, in both parts', () => {
    const text = `${'> '.repeat(40)}Help!`;
    const made = bodies({ format: 'markdown', text });
    expect([made.text, made.html.includes('&gt; &gt; Help!')]).toEqual([`${text}\n`, true]);
  });

  it('never lets what people write out of its place', () => {
    const nasty = fc.stringMatching(/^[<>"'&a-c/=()[\]!*`\\\n -]{0,60}$/);
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        const { html } = bodies({
          format: 'markdown',
          text: one,
          heading: other,
          facts: [[one, other]],
          signature: other,
          reference: one,
        });
        const tags = new Set([...html.matchAll(/<\/?([a-z][a-z\d]*)/gi)].map(([, name]) => name?.toLowerCase()));
        for (const bad of ['script', 'img', 'iframe', 'form', 'input', 'link', 'b', 'i', 'c'])
          expect(tags.has(bad)).toBe(false);
        expect(html).not.toMatch(/<[a-z][^>]*\son[a-z]+=/i);
      }),
    );
  });
});
