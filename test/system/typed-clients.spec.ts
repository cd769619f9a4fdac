import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { documentOfRun } from '../support/document';
import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const run = promisify(execFile);

/** Runs a tool of node_modules; its failure shows what it said. */
async function tool(directory: string, bin: string, ...args: string[]): Promise<void> {
  await run(process.execPath, [resolve('node_modules', bin), ...args], { cwd: directory }).catch((error: unknown) => {
    throw new Error(`${bin}: ${(error as { stdout: string }).stdout}`);
  });
}

/** Strict for the programs and for what was generated, which is no library; other people's declarations are theirs. */
const STRICT = {
  strict: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  outDir: 'out',
};
const PROGRAMS = ['openapi-fetch', 'hey-api'];

/** Checks the programs of examples/clients under `tsc --strict` and compiles them. */
async function compile(directory: string): Promise<void> {
  const files = PROGRAMS.map((name) => `${name}.ts`);
  for (const file of files) copyFileSync(resolve('examples/clients', file), join(directory, file));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files }));
  await tool(directory, 'typescript/bin/tsc', '-p', '.');
  writeFileSync(join(directory, 'out/package.json'), '{"type":"module"}');
}

/** Runs a compiled program, and answers what it printed. */
async function outcome(directory: string, name: string): Promise<Record<string, unknown>> {
  const { token } = await makeWorkspace(server);
  const { stdout } = await run(process.execPath, [join(directory, 'out', `${name}.js`), `${server.url}/v1`, token]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const SEEN = {
  description: 'On floor 3.',
  tags: 'printer,floor-3',
  status: 'open',
  total: 1,
  company: 'none',
  comments: [],
  problem: 'not_found',
};

describe('a program on a generated client', () => {
  let directory: string;
  beforeAll(async () => {
    mkdirSync('dist', { recursive: true });
    directory = mkdtempSync(resolve('dist', 'clients-'));
    writeFileSync(join(directory, 'openapi.json'), JSON.stringify(await documentOfRun()));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('of openapi-typescript or @hey-api/openapi-ts compiles under strict rules', async () => {
    const settings = `export default { input: './openapi.json', output: { path: './generated', module: { extension: '.js' } }, logs: { file: false } };`;
    writeFileSync(join(directory, 'openapi-ts.config.mjs'), settings);
    await tool(directory, '@hey-api/openapi-ts/bin/run.js', '-f', 'openapi-ts.config.mjs');
    // Not as declarations, which would not be checked.
    await tool(directory, 'openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'generated.ts');
    await compile(directory);
  });

  it('of openapi-typescript and openapi-fetch works', async () => {
    const seen = await outcome(directory, 'openapi-fetch');
    expect(seen).toMatchObject({ ...SEEN, results: ['New laptop', 'Ordered.', 'The printer is jammed'] });
  });

  it('of @hey-api/openapi-ts works', async () => {
    const seen = await outcome(directory, 'hey-api');
    expect(seen).toMatchObject({ ...SEEN, results: ['create', 'comment', 'assign'] });
  });
});
