/**
 * `npm run walls`: an area names its own tables in SQL. Those of others are written by nobody else and read only in declared
 * references (`expand`, computed columns) or along `areaReads` (scripts/walls/areas.cjs); tables of the platform are written by
 * the platform alone, which names no area's. `npm run walls -- <folder>` looks at another project.
 */
import { root } from './lib/root.mjs';
import { trespasses } from './walls/read-sql.mjs';

const found = trespasses(process.argv[2] ?? root('.'));
for (const { file, line, message } of found) process.stderr.write(`${file}:${line}  ${message}\n`);
process.exit(found.length === 0 ? 0 : 1);
