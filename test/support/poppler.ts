import { spawnSync } from 'node:child_process';

/** How machines get the tools that read PDFs. */
const managers: readonly { name: string; install: readonly (readonly string[])[] }[] = [
  {
    name: 'apt-get',
    install: [
      ['update', '-q'],
      ['install', '-q', '-y', '--no-install-recommends', 'poppler-utils'],
    ].map(([command = '', ...rest]) => [
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-o',
      'DPkg::Lock::Timeout=300',
      command,
      ...rest,
    ]),
  },
  { name: 'dnf', install: [['dnf', 'install', '-y', 'poppler-utils']] },
  { name: 'apk', install: [['apk', 'add', 'poppler-utils']] },
  { name: 'pacman', install: [['pacman', '-Sy', '--noconfirm', 'poppler']] },
  { name: 'brew', install: [['brew', 'install', 'poppler']] },
];

let isThere = false;

/** The text of a PDF as a reader would select it, laid out as on paper; one text per page. */
export function pagesOf(pdf: Buffer): string[] {
  const { stdout } = run('pdftotext', ['-layout', '-enc', 'UTF-8', '-', '-'], pdf);
  return stdout.split('\f').slice(0, -1);
}

/** What pdfinfo says of a PDF, by its names: `Pages`, `Title`, `Page size`, … */
export function infoOf(pdf: Buffer): Record<string, string> {
  const { stdout } = run('pdfinfo', ['-'], pdf);
  return Object.fromEntries(
    [...stdout.matchAll(/^([^:\n]+):[ \t]*(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

function run(program: string, args: readonly string[], input: Buffer): { stdout: string } {
  ensurePoppler();
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 67_108_864 });
  if (status !== 0 || stderr !== '') throw new Error(`${program} does not like this PDF: ${stderr}`);
  return { stdout };
}

/** Installs poppler with the machine's package manager where it is missing, as Redis is; fails where that may not be. */
function ensurePoppler(): void {
  if (isThere || (isThere = answers('pdftotext') && answers('pdfinfo'))) return;
  const manager = managers.find(({ name }) => answers(name, '--version'));
  if (!manager) throw new Error('The tests of PDFs need pdftotext; install poppler-utils.');
  const sudo = process.getuid?.() === 0 || manager.name === 'brew' ? [] : ['sudo', '-n'];
  let output = '';
  for (const command of manager.install) {
    const [program = '', ...args] = [...sudo, ...command];
    output = spawnSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 600_000 }).stderr;
  }
  isThere = answers('pdftotext') && answers('pdfinfo');
  if (!isThere)
    throw new Error(`The tests of PDFs need pdftotext, and installing poppler-utils failed: ${output.trim()}`);
}

function answers(program: string, question = '-v'): boolean {
  return spawnSync(program, [question], { stdio: 'ignore' }).error === undefined;
}
