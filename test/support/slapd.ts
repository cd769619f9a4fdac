import { Client } from 'ldapts';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { ensureTool, SLAPD } from './machine-tools';
import { testCertificate } from './test-certificate';
import { until } from './until';

export const BASE = 'DC=acme,DC=example';
export const PASSWORD = 'reads everything';
export const READER = `CN=reader,${BASE}`;
/** Is answered five entries at most. */
export const LIMITED = `CN=limited,${BASE}`;
const ADMIN = `CN=admin,${BASE}`;

/** What of Active Directory people, groups and the server itself have. */
const SCHEMA = `
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.2.120 NAME 'uSNChanged' EQUALITY integerMatch ORDERING integerOrderingMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.2.115 NAME 'invocationId' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.782 NAME 'objectCategory' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.2.141 NAME 'department' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.9001 NAME 'highestCommittedUSN' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.2.840.113556.1.4.9002 NAME 'dsServiceName' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.2.840.113556.1.4.9003 NAME 'dnsHostName' SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.2.840.113556.1.4.750 NAME 'groupType' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.35 NAME 'thumbnailPhoto' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP inetOrgPerson STRUCTURAL MUST sAMAccountName
  MAY ( objectGUID $ userAccountControl $ uSNChanged $ objectCategory $ department $ thumbnailPhoto ) )
objectclass ( 1.2.840.113556.1.5.8 NAME 'group' SUP top STRUCTURAL MUST cn MAY ( objectGUID $ member $ description $ uSNChanged $ groupType ) )
objectclass ( 1.2.840.113556.1.5.77 NAME 'nTDSDSA' SUP top STRUCTURAL MUST cn MAY invocationId )
`;

const FOUND_IN = {
  schema: ['/etc/ldap/schema', '/etc/openldap/schema'],
  modules: ['/usr/lib/ldap', '/usr/lib64/openldap', '/usr/lib/openldap'],
};

/** An LDAP server of the machine's, on loopback, that looks like Active Directory. */
export interface Slapd {
  /** Its port with TLS from the first byte, and the one with StartTLS. */
  secure: number;
  plain: number;
  /** Somebody who may change everything. */
  changing<T>(work: (client: Client) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Entries of an organisation as LDIF: the units, who signs in, and what is given. */
export function organisation(entries: readonly string[]): string {
  const unit = (name: string): string => `dn: OU=${name},${BASE}\nobjectClass: organizationalUnit\nou: ${name}`;
  const account = (dn: string, name: string): string =>
    `dn: ${dn}\nobjectClass: person\ncn: ${name}\nsn: ${name}\nuserPassword: ${PASSWORD}`;
  return [
    `dn: ${BASE}\nobjectClass: dcObject\nobjectClass: organization\ndc: acme\no: Acme`,
    ...['People', 'Former', 'Groups'].map(unit),
    account(READER, 'reader'),
    account(LIMITED, 'limited'),
    `dn: CN=NTDS Settings,${BASE}\nobjectClass: nTDSDSA\ncn: NTDS Settings\ninvocationId:: ${Buffer.alloc(16, 7).toString('base64')}`,
    `dn: OU=Elsewhere,${BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: Elsewhere\nref: ldap://elsewhere.invalid/OU=Elsewhere,${BASE}`,
    ...entries,
  ].join('\n\n');
}

/** The bytes of a GUID that ends in this number. */
export const guidBytes = (number: number): Buffer => Buffer.from(number.toString(16).padStart(32, '0'), 'hex');
/** The same as Active Directory writes it. */
export const guidText = (number: number): string => {
  const hex = number.toString(16).padStart(32, '0');
  return `00000000-0000-0000-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Somebody as LDIF. */
export function personLdif(
  number: number,
  name: string,
  more: Readonly<Record<string, string | number>> = {},
  unit: 'People' | 'Former' = 'People',
): string {
  const login = `u${number}`;
  const own = {
    cn: name,
    sn: name,
    displayName: name,
    sAMAccountName: login,
    mail: `${login}@acme.example`,
    userAccountControl: 512,
  };
  const values = { ...own, objectCategory: 'person', uSNChanged: number, ...more };
  const lines = Object.entries(values).map(
    ([attribute, value]) => `${attribute}:: ${Buffer.from(String(value)).toString('base64')}`,
  );
  const dn = Buffer.from(`CN=${name.replaceAll(/[,+"\\<>;#=]/g, String.raw`\$&`)},OU=${unit},${BASE}`).toString(
    'base64',
  );
  return `dn:: ${dn}\nobjectClass: user\nobjectGUID:: ${guidBytes(number).toString('base64')}\n${lines.join('\n')}`;
}

/** `groupType` of a security group of the scope global. */
const SECURITY_GLOBAL = -2_147_483_646;

export function groupLdif(number: number, name: string, members: readonly string[]): string {
  const lines = members.map((member) => `member:: ${Buffer.from(member).toString('base64')}`);
  const head = `dn: CN=${name},OU=Groups,${BASE}\nobjectClass: group\ncn: ${name}\nuSNChanged: ${number}\ngroupType: ${SECURITY_GLOBAL}`;
  return [head, `objectGUID:: ${guidBytes(number).toString('base64')}`, ...lines].join('\n');
}

/** Starts one with entries. @param usn the number of what it says was its last change */
export async function startSlapd(ldif: string, usn = 1_000): Promise<Slapd> {
  ensureTool(SLAPD);
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-slapd-'));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  mkdirSync(join(folder, 'data'));
  const configuration = file('slapd.conf', settings(folder, file, usn));
  const loaded = spawnSync(
    ...administrative('slapadd', ['-q', '-f', configuration, '-l', file('entries.ldif', `${ldif}\n`)]),
    { encoding: 'utf8' },
  );
  if (loaded.status !== 0) throw new Error(`slapadd: ${loaded.stderr}`);
  const [secure, plain] = [await freePort(), await freePort()];
  const urls = `ldaps://127.0.0.1:${secure} ldap://127.0.0.1:${plain}`;
  // With a level of messages it stays in the foreground.
  const server = spawn(...administrative('slapd', ['-d', '0', '-f', configuration, '-h', urls]), { stdio: 'ignore' });
  await until('slapd answers', async () => {
    if (server.exitCode !== null)
      throw new Error(`slapd ended with ${server.exitCode}; its settings are in ${configuration}.`);
    return (await answers(secure)) && (await answers(plain));
  });
  const changing: Slapd['changing'] = async (work) => {
    const client = new Client({ url: `ldap://127.0.0.1:${plain}` });
    await client.bind(ADMIN, PASSWORD);
    try {
      return await work(client);
    } finally {
      await client.unbind();
    }
  };
  return { secure, plain, changing, stop: () => end(server, folder) };
}

function settings(folder: string, file: (name: string, content: string) => string, usn: number): string {
  const schema = FOUND_IN.schema.find((path) => existsSync(path)) ?? FOUND_IN.schema[0];
  const modules = FOUND_IN.modules.find((path) => existsSync(path));
  const root = `dn:\nobjectClass: top\nobjectClass: extensibleObject\ndnsHostName: dc1.acme.example\ndsServiceName: CN=NTDS Settings,${BASE}\nhighestCommittedUSN: ${usn}\n`;
  return [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${schema}/${name}.schema`),
    `include ${file('directory.schema', SCHEMA)}`,
    ...(modules ? [`modulepath ${modules}`, 'moduleload back_mdb'] : []),
    `TLSCertificateFile ${file('certificate.pem', testCertificate.cert)}`,
    `TLSCertificateKeyFile ${file('key.pem', testCertificate.key)}`,
    `rootDSE ${file('root.ldif', root)}`,
    'sizelimit unlimited',
    'database mdb',
    `suffix "${BASE}"`,
    `rootdn "${ADMIN}"`,
    `rootpw "${PASSWORD}"`,
    `directory ${join(folder, 'data')}`,
    'maxsize 268435456',
    `limits dn.exact="${LIMITED}" size.soft=5 size.hard=5 size.prtotal=5`,
    'index objectClass eq',
    'access to * by * read',
    '',
  ].join('\n');
}

/** A program that administers machines, which is not in everybody's path. */
function administrative(program: string, args: readonly string[]): readonly [string, string[]] {
  return ['sh', ['-c', `PATH="$PATH:/usr/sbin:/usr/libexec"; exec ${program} "$@"`, program, ...args]];
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const done = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
}

async function end(server: ChildProcess, folder: string): Promise<void> {
  if (server.exitCode === null) {
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }
  rmSync(folder, { recursive: true, force: true });
}
