import { spawnSync } from 'node:child_process';
import { ensureTool, POPPLER } from './machine-tools';

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
  ensureTool(POPPLER);
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 67_108_864 });
  if (status !== 0 || stderr !== '') throw new Error(`${program} does not like this PDF: ${stderr}`);
  return { stdout };
}
