import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A statement that a repository could make: columns of one table, by their values. */
const COLUMNS = String.raw`[\w.]+(?: AS \w+)?(?:, [\w.]+(?: AS \w+)?)*`;
const CONDITION = String.raw`[\w.]+ (?:= (?:\$\d+|'[^']*'|ANY ?\(\$\d+(?:::\w+\[\])?\))|IN \([^()]*\)|IS (?:NOT )?NULL)`;
const PLAIN = new RegExp(
  String.raw`^SELECT (?:${COLUMNS} )?FROM ([a-z_]+)(?: [a-z])? WHERE (?:${CONDITION})(?: AND (?:${CONDITION}))*(?: ORDER BY [\w., ]+?)?(?: LIMIT \d+)?(?: FOR (?:UPDATE|SHARE))?$`,
);

/** What the first line of a file says of its statements, when they are other than usual. */
const RAW_ROWS = /^\/\/ Raw rows: \S.+\.$/m;
const OWN_READS = /^\/\/ Own reads: \S.+\.$/m;

/**
 * Files that take rows by position, or read one table by statements of their own where a repository would do, and do not say
 * why in their first lines; and files that say so for nothing.
 *
 * @param {string} project folder of the project
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function unexplained(project) {
  const read = (file) => readFileSync(join(project, file), 'utf8');
  const texts = filesOf(project).map((file) => [file, read(file)]);
  const owners = new Map(
    texts.flatMap(([file, text]) => [...text.matchAll(/@Entity\('(\w+)'/g)].map(([, table]) => [table, areaOf(file)])),
  );
  return texts.flatMap(([file, text]) => [...rawRows(file, text), ...plainReads(file, text, owners)]);
}

function rawRows(file, text) {
  if (file === 'src/platform/database/database.ts') return [];
  const [use] = text.matchAll(/\.raw(?:Read|Batch)\(/g);
  const line = use ? text.slice(0, use.index).split('\n').length : 1;
  if (use && !RAW_ROWS.test(head(text)))
    return [{ file, line, message: 'takes rows by position: name them, or say why above ("// Raw rows: ….").' }];
  if (!use && RAW_ROWS.test(head(text))) return [{ file, line, message: 'takes no rows by position.' }];
  return [];
}

/** Reads of the area's own tables, which have entities. */
function plainReads(file, text, owners) {
  const area = areaOf(file);
  if (area === null) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node)) {
      const table = PLAIN.exec(node.text.replace(/\s+/g, ' ').trim())?.[1];
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      if (table && owners.get(table) === area) found.push({ file, line, table });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const says = OWN_READS.test(head(text));
  if (says) return found.length > 0 ? [] : [{ file, line: 1, message: 'has no plain reads of its own.' }];
  return found.map(({ line, table }) => ({
    file,
    line,
    message: `reads "${table}" by a statement of its own: ask a repository or a store, or say why above ("// Own reads: ….").`,
  }));
}

function areaOf(file) {
  return /^src\/areas\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** The lines before the imports. */
function head(text) {
  return text.slice(0, text.search(/^import /m));
}

function filesOf(project) {
  return readdirSync(join(project, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}
