import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/config';

const stacks = pathToFileURL(join(projectRoot, 'scripts/lib/stacks.mjs')).href;
const built = join(projectRoot, 'dist/src/platform/errors/api-error.js');
const source = join(projectRoot, 'src/platform/errors/api-error.ts');

/** What a program says that makes stack traces name the TypeScript, with `invalid` of it at hand. */
function said(program: string): string {
  const code = `const { mapStacks } = await import(${JSON.stringify(stacks)}); mapStacks();
    const { invalid } = (await import(${JSON.stringify(pathToFileURL(built).href)})).default; ${program}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return stdout + stderr;
}

describe('stack traces', () => {
  it('name the TypeScript where it was built, and leave other lines as they are', () => {
    const [first, ...lines] = said(
      `try { invalid('from', 'order', 'no') } catch (error) { console.log(error.stack) }`,
    ).split('\n');
    expect(first).toBe('ApiError: no');
    expect(lines[0]).toMatch(/^ {4}at fail \(/);
    expect(lines.filter((line) => line.includes(`${source}:`))).toHaveLength(2);
    expect(lines.some((line) => line.includes(built))).toBe(false);
    expect(lines.some((line) => line.includes('[eval'))).toBe(true);
  });

  it('are those of what ends the process, too', () => {
    expect(said(`invalid('from', 'order', 'no')`)).toContain(`${source}:`);
  });
});
