/**
 * `npm run walls`: an area names its own tables in SQL. Those of others are written by nobody else and read only in declared
 * references (`expand`, computed columns) or along `areaReads` (scripts/walls/areas.cjs); tables of the platform are written by
 * the platform alone, which names no area's. Files that take rows by position, or read a table of their own without its repository,
 * say why. `npm run walls -- <folder>` looks at another project.
 */
import { root } from './lib/root.mjs';
import { unexplained } from './walls/plain-reads.mjs';
import { trespasses } from './walls/read-sql.mjs';

const project = process.argv[2] ?? root('.');
const found = [...trespasses(project), ...unexplained(project)];
for (const { file, line, message } of found) process.stderr.write(`${file}:${line}  ${message}\n`);
process.exit(found.length === 0 ? 0 : 1);
