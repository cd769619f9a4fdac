import { Eta } from 'eta';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** What is used of `prettier`, a development dependency. */
interface Formatter {
  resolveConfig(file: string): Promise<object | null>;
  format(text: string, options: object): Promise<string>;
}

/** Files that are about to be written: all of them are made before any is, so that a mistake leaves nothing half done. */
export class Workshop {
  private readonly eta = new Eta({ autoEscape: false, views: join(__dirname, 'templates') });
  private readonly files = new Map<string, string>();

  /** @throws Error when the file is there already */
  make(file: string, template: string, view: object): void {
    if (existsSync(file)) throw new Error(`${relative('', file)} is there already; choose another name.`);
    this.files.set(file, this.eta.render(template, view));
  }

  /** @throws Error when there is no such file */
  edit(file: string, change: (text: string) => string): void {
    const known = this.files.get(file);
    if (known === undefined && !existsSync(file)) throw new Error(`${relative('', file)} is missing.`);
    this.files.set(file, change(known ?? readFileSync(file, 'utf8')));
  }

  has(file: string): boolean {
    return this.files.has(file) || existsSync(file);
  }

  /** Writes them as the formatter of the project would. Answers their names, relative to the working directory. */
  async finish(): Promise<string[]> {
    const prettier = createRequire(__filename)('prettier') as Formatter;
    // The folder of a plug-in may be anywhere: it is formatted as this repository is.
    const settings = (await prettier.resolveConfig(__filename)) ?? {};
    for (const [file, text] of this.files) {
      const formatted = await prettier.format(text, { ...settings, filepath: file });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, formatted);
    }
    return [...this.files.keys()].map((file) => relative('', file));
  }
}
