import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

const rules = createRequire(import.meta.url)('./areas.cjs');

/** Where a table stands in SQL; the house writes keywords in capitals. */
const PLACE =
  /\b(INSERT INTO|DELETE FROM|UPDATE|FROM|JOIN|USING|COPY|TRUNCATE|NULL::)\s*((?:ONLY\s+)?[a-z_]+(?:\s+(?:AS\s+)?[a-z_]+)?(?:\s*,\s*[a-z_]+(?:\s+(?:AS\s+)?[a-z_]+)?)*)/g;
const WRITES = new Set(['INSERT INTO', 'DELETE FROM', 'UPDATE', 'COPY', 'TRUNCATE']);

/** Calls whose SQL is a declared reference. */
const DECLARATIONS = new Set(['ComputedColumn', 'defineResource']);

/**
 * Table names in SQL where they do not belong.
 *
 * @param {string} project folder of the project
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function trespasses(project) {
  const read = (file) => readFileSync(join(project, file), 'utf8');
  const files = filesOf(project, 'src');
  const sources = files.map((file) => parse(file, read(file)));
  const owners = ownersOf(project, sources, read);
  const found = unowned(project, owners, read);
  for (const source of sources) {
    if (rules.exempt.test(source.fileName)) continue;
    for (const named of tablesIn(source)) {
      const message = verdict(source.fileName, named, owners);
      if (message) found.push({ file: source.fileName, line: named.line, message });
    }
  }
  return found;
}

/** Why a file must not name the table there; null where it may. */
function verdict(file, { table, writes, declared }, owners) {
  const owner = owners.get(table);
  const area = partOf(file);
  if (owner === undefined || owner === area || rules.sharedTables[table]?.includes(area)) return null;
  if (writes) return `${area} writes "${table}" of ${owner}: ask its owner, or change records through the kernel.`;
  if (owner === 'platform' || declared || rules.areaReads[area]?.includes(owner)) return null;
  return `${area} reads "${table}" of ${owner}: ask its owner.`;
}

/** The part of the program that a file belongs to: an area, or `platform`. */
function partOf(file) {
  return /^src\/areas\/([^/]+)\//.exec(file)?.[1] ?? 'platform';
}

/** Who owns which table: entities and resources by where they are declared, the others by name. */
function ownersOf(project, sources, read) {
  const owners = new Map();
  for (const { fileName, text } of sources) {
    for (const [, table] of text.matchAll(/@Entity\('(\w+)'/g)) owners.set(table, partOf(fileName));
    if (!text.includes('defineResource(')) continue;
    for (const [, kind, table] of text.matchAll(/\b(table|view|texts): '(\w+)'/g)) {
      owners.set(table, partOf(fileName));
      if (kind === 'texts') owners.set(`${table}_search`, partOf(fileName));
    }
  }
  for (const [owner, tables] of Object.entries(rules.tableOwners)) for (const table of tables) owners.set(table, owner);
  for (const table of tablesMade(project, read)) {
    const base = table.replace(/_search$/, '');
    if (!owners.has(table) && owners.has(base)) owners.set(table, owners.get(base));
  }
  return owners;
}

/** Tables that migrations make and nobody owns. */
function unowned(project, owners, read) {
  return tablesMade(project, read)
    .filter((table) => !owners.has(table) && !(table in rules.sharedTables))
    .map((table) => ({ file: 'scripts/walls/areas.cjs', line: 1, message: `"${table}" has no owner.` }));
}

function tablesMade(project, read) {
  const texts = [
    ...filesOf(project, 'migrations'),
    ...filesOf(project, 'src').filter((file) => file.includes('/migrations/')),
  ];
  const made = texts.flatMap((file) => [
    ...read(file).matchAll(/CREATE (?:OR REPLACE )?(?:UNLOGGED )?(?:TABLE|VIEW) (?:IF NOT EXISTS )?([a-z]\w*)/g),
  ]);
  return [...new Set(made.map(([, table]) => table))];
}

/** Every table that stands in the string and template literals of a file. */
function tablesIn(source) {
  const found = [];
  const visit = (node, declared) => {
    if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      for (const named of tablesOf(textOf(node))) found.push({ ...named, line, declared });
    }
    const declares = declared || (ts.isCallExpression(node) && DECLARATIONS.has(node.expression.getText(source)));
    ts.forEachChild(node, (child) => visit(child, declares));
  };
  visit(source, false);
  return found;
}

/** Names in the places of tables; that of a CTE or a function is no table of anybody. */
function tablesOf(sql) {
  const found = [];
  for (const { index, 1: keyword, 2: list } of sql.matchAll(PLACE)) {
    const locks = keyword === 'UPDATE' && /FOR( NO KEY)?\s+$/.test(sql.slice(0, index));
    if (locks) continue;
    for (const item of list.split(',')) {
      const table = item
        .trim()
        .replace(/^ONLY\s+/, '')
        .split(/\s+/)[0];
      found.push({ table, writes: WRITES.has(keyword) });
    }
  }
  return found;
}

/** The text of a literal; what is put into it stands as `${}`, which ends a name. */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  return node.head.text + node.templateSpans.map((span) => `\${}${span.literal.text}`).join('');
}

function parse(file, text) {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function filesOf(project, folder) {
  return readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}
