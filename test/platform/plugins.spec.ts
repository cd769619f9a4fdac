import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { categoryResource } from '../../src/areas/categories/category.resource';
import { type Area, defineArea } from '../../src/platform/area/area';
import { Areas } from '../../src/platform/area/areas';
import { collectFrom } from '../../src/platform/area/collected';
import type { PersonalTable } from '../../src/platform/area/personal';
import { personalTables } from '../../src/platform/privacy/inventory';
import { loadPlugins } from '../../src/plugins/load';
import { installFields } from '../../src/platform/area/extra-fields';
import { Category } from '../../src/areas/categories/category.entity';
import { StringColumn } from '../../src/platform/columns/columns';
import { installed } from '../support/areas';

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'helpdesk-plugins-')));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

const area = (name: string): string => `
  import { defineArea } from 'helpdesk-api/platform/area/area';
  import { CreateBoats1770000000000 } from './boats';
  export const plugin = defineArea({ name: '${name}', migrations: [CreateBoats1770000000000] });`;
const boats = `
  import type { MigrationInterface } from 'typeorm';
  export class CreateBoats1770000000000 implements MigrationInterface {
    async up(): Promise<void> {}
    async down(): Promise<void> {}
  }`;
const compiled = `exports.plugin = require('helpdesk-api/platform/area/area').defineArea({ name: 'compiled' });`;

describe('plug-ins', () => {
  it('are folders in TypeScript, outside of the repository, compiled once; their migrations bear their names', () => {
    write({ 'boats/plugin.ts': area('boats'), 'boats/boats.ts': boats });
    const [plugin] = loadPlugins(['./boats'], directory);
    const names = plugin?.migrations?.map((migration) => migration.name);
    expect([plugin?.name, names]).toEqual(['boats', ['boats/CreateBoats1770000000000']]);
    const { mtimeMs } = statSync(join(directory, 'boats/dist/plugin.js'));
    loadPlugins(['boats'], directory);
    expect(statSync(join(directory, 'boats/dist/plugin.js')).mtimeMs).toBe(mtimeMs);
    expect(existsSync(join(directory, 'boats/dist/boats.js.map'))).toBe(true);
  });

  it('are compiled folders and packages, which use the platform that loads them and packages of their own', () => {
    write({
      'folder/plugin.js': compiled.replace("'compiled'", "require('own').name"),
      'folder/node_modules/own/index.js': `exports.name = 'folder';`,
      'package.json': '{}',
      'node_modules/@acme/plugin/package.json': '{ "name": "@acme/plugin", "main": "lib/main.js" }',
      'node_modules/@acme/plugin/lib/main.js': compiled,
    });
    const loaded = loadPlugins(['folder', '@acme/plugin'], directory);
    expect(loaded.map(({ name }) => name)).toEqual(['folder', 'compiled']);
  });

  it.each([
    ['helpdesk.config.js', `module.exports = { plugins: ['folder'] };`],
    ['helpdesk.config.json', `{ "plugins": ["folder"] }`],
  ])('are named in %s, unless the environment names others', (name, text) => {
    write({ 'folder/plugin.js': compiled, [name]: text });
    expect(loadPlugins(null, directory)).toHaveLength(1);
    expect(loadPlugins([], directory)).toEqual([]);
  });

  it.each<[string, Record<string, string>, string[] | null, RegExp]>([
    ['a folder that is not there', {}, ['./boats'], /"\.\/boats" is not there: .*boats is no folder/],
    [
      'a package that is not installed',
      {},
      ['boats'],
      /neither a folder in .* nor an installed package; mend HELPDESK_PLUG/,
    ],
    [
      'an empty folder',
      { 'boats/x.txt': '' },
      ['boats'],
      /"boats" has no plugin\.ts or plugin\.js in .*helpdesk generate/,
    ],
    ['no export', { 'boats/plugin.js': '' }, ['boats'], /exports no "plugin"; write `export const plugin = defineArea/],
    [
      'an error',
      { 'boats/plugin.js': 'throw new Error("Leak")' },
      ['boats'],
      /"boats" cannot be loaded; mend this: .*Leak/,
    ],
    ['a bad name', { 'boats/plugin.ts': area('Boats'), 'boats/boats.ts': boats }, ['boats'], /write kebab-case/],
    ['the same twice', {}, ['boats', 'boats'], /named twice; name it once/],
    ['two files', { 'helpdesk.config.js': '', 'helpdesk.config.json': '' }, null, /There are .*; keep one of them/],
    [
      'a list of no texts',
      { 'helpdesk.config.json': '{"plugins": [1]}' },
      null,
      /must hold \{ "plugins": \[\.\.\.\] \}/,
    ],
    ['other settings', { 'helpdesk.config.json': '{"port": 1}' }, null, /has "port"; "plugins" is all/],
    ['no JSON', { 'helpdesk.config.json': '{' }, null, /helpdesk\.config\.json cannot be read: /],
  ])('say what to do about %s', (_what, files, named, message) => {
    write(files);
    expect(() => loadPlugins(named, directory)).toThrow(message);
  });
});

it('an area of a plug-in has a name of its own', () => {
  write({ 'folder/plugin.js': compiled.replace('compiled', 'tickets') });
  expect(() => new Areas([...installed.all.slice(0, 1), ...loadPlugins(['folder'], directory)])).toThrow(/two areas/);
});

it('extra fields bear the name of their area, need no value, and belong to a resource', () => {
  const columns = { shelf: StringColumn({ max: 9, nullable: true }) };
  expect(() => {
    installFields({ entity: Category, columns }, 'boats');
  }).toThrow(/the extra field "shelf" of categories must be called "boats_…"/);
  expect(categoryResource.column.has('shelf')).toBe(false);
});

it('texts on a table of another area are looked into by erasures; what else it holds is for its area to say', () => {
  const saying = (what: Omit<PersonalTable, 'table'>): Area =>
    defineArea({ name: 'boats', personal: [{ table: 'categories', ...what }] });
  try {
    collectFrom([...installed.all, saying({ texts: ['boats_note'] })]);
    const { texts } = personalTables().find(({ table }) => table === 'categories') ?? {};
    expect(texts).toEqual(expect.arrayContaining(['description', 'boats_note']));
    collectFrom([...installed.all, saying({ copy: true })]);
    expect(() => personalTables()).toThrow('What "categories" holds of people is declared twice.');
  } finally {
    collectFrom(installed.all);
  }
});
