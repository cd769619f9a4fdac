import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isAllowed, isForbidden, parseRanges } from '../../src/platform/outbound/addresses';
import { checkTargetUrl, needsAllowedAddress } from '../../src/platform/outbound/target-url';

const none = parseRanges([]);
const loopback = parseRanges(['127.0.0.1/32', '::1/128']);
const v4 = fc.ipV4().filter((address) => ipaddr.isValid(address));
const bytesOf = (address: string): number[] => address.split('.').map(Number);

describe('forbidden addresses', () => {
  it.each([
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...['127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '172.16.0.0', '172.31.255.255'],
    ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255'],
    ...['198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
    ...['64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:1ff:ffff::1', '2001:db8::1', '2002:7f00:1::'],
    ...['3fff::1', '5f00::1', 'fc00::1', 'fdff::1', 'fe80::1', 'fec0::1', 'ff02::1', '4000::1', '1fff::1'],
    ...[
      'fe80::1%eth0',
      '2606:4700::1111%eth0',
      'example.com',
      '',
      '0x7f.1',
      '2130706433',
      '127.1',
      '1.1.1.1.',
      '01.1.1.1',
    ],
  ])('has %s', (address) => {
    expect(isForbidden(address, none)).toBe(true);
  });

  it.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.1',
    ],
    ...[
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
      '192.169.0.0',
    ],
    ...[
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '::ffff:8.8.8.8',
      '2606:4700:4700::1111',
      '2001:4860:4860::8888',
    ],
    ...['2001:200::1', '2001:db9::1', '2003::1', '3ffe:ffff::1'],
  ])('does not have %s', (address) => {
    expect(isForbidden(address, none)).toBe(false);
  });

  it('are the same in IPv4 and in its mapped form, and always when wrapped otherwise', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
        const hex = [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':');
        expect(isForbidden(`::ffff:${address}`, none)).toBe(isForbidden(address, none));
        expect(isForbidden(`::ffff:${hex}`, none)).toBe(isForbidden(address, none));
        for (const wrapped of [
          `::${hex}`,
          `64:ff9b::${hex}`,
          `64:ff9b:1::${hex}`,
          `2002:${hex}::1`,
          `2001:0:${hex}::1`,
        ]) {
          expect(isForbidden(wrapped, none)).toBe(true);
        }
      }),
    );
  });

  it('can be opened range by range and no further', () => {
    expect(isForbidden('127.0.0.1', loopback)).toBe(false);
    expect(isForbidden('::ffff:127.0.0.1', loopback)).toBe(false);
    expect(isForbidden('::1', loopback)).toBe(false);
    expect(isForbidden('127.0.0.2', loopback)).toBe(true);
    expect(isForbidden('10.0.0.1', loopback)).toBe(true);
    expect(isAllowed('8.8.8.8', loopback)).toBe(false);
    expect(() => parseRanges(['127.0.0.1/33'])).toThrow();
  });
});

describe('targets', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/Hook?x=1', 'https://example.com/Hook?x=1'],
    ['https://example.com:8443/a', 'https://example.com:8443/a'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ])('may be %s', (text, href) => {
    expect(checkTargetUrl(text).url?.href).toBe(href);
  });

  it.each([
    ...[
      '',
      'example.com',
      '//example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'http://example.com',
      'https://',
    ],
    ...['https://example.com:80', 'https://example.com:22', 'https://user@example.com', 'https://:p@example.com'],
    ...['https://example.com/#f', 'https://example.com/#', 'https://exa mple.com', 'https://example.com\\@10.0.0.1/'],
    ...['https://exa\nmple.com', 'https://exa\tmple.com', ' https://example.com', 'https://example.com/\u0000'],
    ...['https://localhost', 'https://LOCALHOST.', 'https://a.localhost', 'https://printer.local', 'https://intranet'],
    ...[
      'https://metadata.google.internal',
      'https://router.home.arpa',
      'https://example.com..',
      'https://.example.com',
    ],
    ...['https://127.0.0.1', 'https://127.1', 'https://2130706433', 'https://0x7f000001', 'https://0177.0.0.1'],
    ...[
      'https://１２７.０.０.１',
      'https://127。0。0。1',
      'https://①②⑦.0.0.1',
      'https://%31%32%37.0.0.1',
      'https://127.0.0.1.',
    ],
    ...['https://[::1]', 'https://[::ffff:127.0.0.1]', 'https://[64:ff9b::127.0.0.1]', 'https://[fe80::1%25eth0]'],
    ...['https://1.2.3.4.5', 'https://256.1.1.1', `https://example.com/${'a'.repeat(2_048)}`],
    ...[`https://${'a'.repeat(64)}.com`, `https://${'a.'.repeat(130)}com`, 'https://-a.com', 'https://ex_ample-.com'],
  ])('may not be %j', (text) => {
    const checked = checkTargetUrl(text);
    expect(checked.url).toBeNull();
    expect(checked.problem).toMatch(/^must /);
  });

  it('may be plain and on any port in ranges that the operator opened', () => {
    for (const text of ['http://127.0.0.1:3001/hook', 'https://127.0.0.1:1', 'http://[::1]:8080/', 'http://0x7f.1/']) {
      expect(checkTargetUrl(text, loopback).problem).toBeNull();
    }
    for (const text of ['http://8.8.8.8/', 'https://8.8.8.8:22/', 'https://127.0.0.2/', 'http://10.0.0.1:3001/']) {
      expect(checkTargetUrl(text, loopback).problem).not.toBeNull();
    }
  });

  it('are taken by name where ranges were opened, and then must lead there unless they would be fine anyway', () => {
    for (const text of [
      'http://example.com/',
      'https://localhost:3001/',
      'http://receiver:8080/',
      'https://a.internal/',
    ]) {
      const { url } = checkTargetUrl(text, loopback);
      expect(url && needsAllowedAddress(url)).toBe(true);
    }
    const { url } = checkTargetUrl('https://example.com/', loopback);
    expect(url && needsAllowedAddress(url)).toBe(false);
  });

  it('never throw, and are canonical when accepted', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((host) => `https://${host}`),
        ),
        (text) => {
          const { url } = checkTargetUrl(text);
          if (url === null) return;
          expect(url.protocol).toBe('https:');
          expect(checkTargetUrl(url.href).url?.href).toBe(url.href);
        },
      ),
    );
  });
});
