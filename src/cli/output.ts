import type { Command } from 'commander';

/** Options that every command understands. */
export interface GlobalOptions {
  json?: boolean;
}

/** Whether one JSON document is to be the only thing on standard output. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<GlobalOptions>().json === true;
}

/** Prints what a command did: the document with `--json`, else the lines for a person. */
export function print(command: Command, document: unknown, lines: readonly string[]): void {
  process.stdout.write(wantsJson(command) ? `${JSON.stringify(document)}\n` : `${lines.join('\n')}\n`);
}

/** Progress goes to standard error, and only to people. */
export function progress(command: Command): (line: string) => void {
  return wantsJson(command) ? () => undefined : (line) => void process.stderr.write(`${line}\n`);
}

/** Columns aligned under their headings. */
export function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const texts = rows.map((row) => row.map(String));
  const widths = (texts[0] ?? []).map((_, column) => Math.max(...texts.map((row) => (row[column] ?? '').length)));
  return texts.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Names and values of an object, one a line; a dash stands for what there is not. */
export function facts(values: Readonly<Record<string, unknown>>): string[] {
  return table(Object.entries(values).map(([name, value]) => [`${name.replaceAll('_', ' ')}:`, shown(value)]));
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${name} ${shown(member)}`);
  return members.length ? members.join(', ') : '-';
}

/** An error as one sentence on one line. */
export function sentence(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' ');
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.;!?]$/.test(capital) ? capital : `${capital}.`;
}
