import fc from 'fast-check';
import { slugBase } from '../../src/areas/kb/text/slug';
import { freeSlug, slugOf } from '../../src/platform/text/slug';

const texts = fc.string({ unit: 'grapheme', maxLength: 200 });
const languages = fc.constantFrom('en', 'de', 'fr', 'pt-BR', 'ru', 'ja', 'tr', 'vi', 'sr-Latn');

describe('a slug', () => {
  it.each([
    ['Reset your password', 'en', 'reset-your-password'],
    ['Größe & Maße', 'de', 'groesse-masse'],
    ['Größe', 'fr', 'grosse'],
    ['Où est l’imprimante ?', 'fr', 'ou-est-l-imprimante'],
    ['Настройка принтеров', 'ru', 'настройка-принтеров'],
    ['パスワードの再設定', 'ja', 'パスワードの再設定'],
    ['重置 密码', 'zh', '重置-密码'],
    ['Đổi mật khẩu', 'vi', 'doi-mat-khau'],
    ['  --Hello__World!--  ', 'en', 'hello-world'],
    ['../../etc/passwd', 'en', 'etc-passwd'],
    ['<script>alert(1)</script>', 'en', 'script-alert-1-script'],
    ['🎉 !!!', 'en', null],
    ['', 'en', null],
  ])('of %j in %s is %j', (title, language, slug) => {
    expect(slugOf(title, { language, maxLength: 80 })).toBe(slug);
  });

  it.each([
    ['Café & Bar', 'cafe-bar'],
    ['  15-minute  call ', '15-minute-call'],
    ['会议', null],
    ['Büro 東京', 'buro'],
    ['x'.repeat(120), 'x'.repeat(72)],
  ])('of %j in ASCII alone is %j', (name, slug) => {
    expect(slugOf(name, { maxLength: 72, isAscii: true })).toBe(slug);
  });

  it('takes the first number that is free', () => {
    expect(freeSlug('demo', new Set())).toBe('demo');
    expect(freeSlug('demo', new Set(['demo', 'demo-2', 'demo-4']))).toBe('demo-3');
  });

  it('is made of letters, digits and single hyphens, is short enough, and is its own slug', () => {
    fc.assert(
      fc.property(texts, languages, (title, language) => {
        const slug = slugOf(title, { language, maxLength: 80 });
        if (slug === null) return;
        expect(slug).toMatch(/^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u);
        expect(Array.from(slug).length).toBeLessThanOrEqual(80);
        expect(slug.isWellFormed()).toBe(true);
        expect(slugOf(slug, { language, maxLength: 80 })).toBe(slug);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves room for a number, and is never empty', () => {
    fc.assert(
      fc.property(texts, languages, (title, language) => {
        const base = slugBase(title, language, 'article');
        expect(base.length).toBeGreaterThan(0);
        expect(Array.from(base).length).toBeLessThanOrEqual(72);
        expect(slugOf(`${base}-123456`, { language, maxLength: 80 })).toBe(`${base}-123456`);
      }),
    );
  });
});
