/** IPv4 addresses that nothing may be sent to, each of a kind of its own. */
const targets = [
  '127.0.0.1',
  '127.8.9.10',
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

const otherV6 = [
  '::1',
  '::',
  '0:0:0:0:0:0:0:1',
  '0000::0001',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
];
const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'printer.local',
  'metadata.google.internal',
  'intranet',
];

/** The host parts that stand for a forbidden IPv4 address, in every notation that some program understands. */
function hostsFor(address: string): string[] {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  const hex = bytes.map((byte) => `0x${byte.toString(16)}`);
  const octal = bytes.map((byte) => `0${byte.toString(8)}`);
  const v6 = [
    ...[
      `::ffff:${address}`,
      `::ffff:${high}:${low}`,
      `0:0:0:0:0:ffff:${high}:${low}`,
      `::${address}`,
      `::${high}:${low}`,
    ],
    ...[`::ffff:0:${address}`, `64:ff9b::${address}`, `64:ff9b:1::${high}:${low}`, `2002:${high}:${low}::1`],
    ...[`2001:0:${high}:${low}::`, `2001:0:0:0:0:0:${inverted(a, b)}:${inverted(c, d)}`, `fe80::5efe:${high}:${low}`],
  ];
  return [
    ...[
      address,
      String(whole),
      `0x${whole.toString(16)}`,
      `0X${whole.toString(16).toUpperCase()}`,
      `0${whole.toString(8)}`,
    ],
    ...[hex.join('.'), octal.join('.'), octal.map((part) => `000${part}`).join('.'), `${hex[0]}.${octal[1]}.${c}.${d}`],
    ...[`${a}.${whole - a * 2 ** 24}`, `${a}.${b}.${c * 256 + d}`, `${hex[0]}.${whole - a * 2 ** 24}`],
    ...[
      `${address}.`,
      translated(address, 0xff10, '.'),
      translated(address, 0xff10, '。'),
      translated(address, 0xff10, '．'),
    ],
    ...[circled(address), percentEncoded(address), address.replaceAll('.', '%2e'), address.replaceAll('.', '｡')],
    ...v6.map((each) => `[${each}]`),
  ];
}

/** Addresses of targets that lead, or try to lead, to where nothing may be sent. Each is a form of its own. */
export function forbiddenForms(ports: readonly number[]): string[] {
  const hosts = [...targets.flatMap(hostsFor), ...otherV6.map((each) => `[${each}]`), ...names];
  const loopback = ['127.0.0.1', '2130706433', '[::1]', 'localhost'];
  const forms = hosts.map((host, index) => `https://${host}${portOf(ports, index)}/hook`);
  for (const host of loopback) {
    const [port = ''] = ports.map((each) => `:${each}`);
    forms.push(
      ...[
        `http://${host}${port}/`,
        `http://${host}/`,
        `HTTPS://${host}${port}`,
        `https:${host}${port}`,
        `https:/${host}`,
      ],
      ...[
        `https:\\\\${host}${port}\\`,
        `https:///${host}${port}/`,
        `https://user@${host}${port}/`,
        `//${host}${port}/`,
      ],
      ...[`https://user:pass@${host}/`, `https://8.8.8.8@${host}${port}/`, `https://example.com:443@${host}${port}/`],
      ...[`https://8.8.8.8#@${host}${port}/`, `https://8.8.8.8\\@${host}${port}/`, `https://${host}${port}#@8.8.8.8/`],
      ...[
        `https://${host}${port}?@8.8.8.8/`,
        `https://\t${host}${port}/`,
        `https://${host}\n${port}/`,
        ` https://${host}/`,
      ],
      ...[`https://${host}:22/`, `https://${host}:6379/`, `https://${host}:080443/`, `ws://${host}${port}/`],
      ...[
        `gopher://${host}${port}/`,
        `file://${host}/etc/passwd`,
        `ftp://${host}${port}/`,
        `https://${host}%00.example.com/`,
      ],
      ...[`https://${host}%09${port}/`, `https://example.com@${host}${port}@8.8.8.8/`, `https://${host}\u00ad${port}/`],
    );
  }
  return [...new Set(forms)];
}

/** Forbidden addresses as name servers may answer them. */
export const forbiddenAnswers: readonly string[] = [
  ...targets,
  ...targets.map((address) => `::ffff:${address}`),
  ...targets.map((address) => `64:ff9b::${address}`),
  ...otherV6,
  '::127.0.0.1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fe80::1%lo',
  'not an address',
  '127.1',
  '0x7f000001',
  '',
];

/** Addresses that are public, next to forbidden ranges as well as well-known. None is ever connected to. */
export const publicAddresses: readonly string[] = [
  ...[
    '1.0.0.1',
    '1.1.1.1',
    '8.8.4.4',
    '8.8.8.8',
    '9.9.9.9',
    '9.255.255.255',
    '11.0.0.0',
    '13.107.42.14',
    '17.253.144.10',
  ],
  ...['20.205.243.166', '23.185.0.3', '31.13.72.36', '34.117.59.81', '45.33.32.156', '52.94.236.248', '64.6.64.6'],
  ...['76.76.2.0', '93.184.215.14', '99.84.0.1', '100.63.255.255', '100.128.0.0', '104.16.132.229', '126.255.255.255'],
  ...['128.0.0.0', '140.82.121.4', '151.101.1.69', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...[
    '185.199.108.153',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.88.98.255',
    '192.167.255.255',
    '192.169.0.0',
  ],
  ...[
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.112.255',
    '203.0.114.0',
    '208.67.222.222',
    '223.255.255.255',
  ],
  ...[
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2400:cb00::1',
    '2606:4700:4700::1111',
    '2620:fe::fe',
    '2a00:1450::1',
  ],
  ...['2a03:2880::1', '3ffe::1', '::ffff:8.8.8.8'],
];

function portOf(ports: readonly number[], index: number): string {
  const port = ports[index % ports.length];
  return port === undefined || port === 443 ? '' : `:${port}`;
}

function inverted(first: number, second: number): string {
  return ((first * 256 + second) ^ 0xffff).toString(16);
}

function translated(address: string, zero: number, dot: string): string {
  return address.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))).replaceAll('.', dot);
}

function circled(address: string): string {
  return address.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))));
}

function percentEncoded(address: string): string {
  return address.replace(/\d/g, (digit) => `%3${digit}`);
}
