import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { projectRoot } from '../../config';
import { camel } from './names';

/** Where generated files go, and how they name what they import. */
export interface Place {
  /** Name of the area, in kebab-case. */
  area: string;
  /** Absolute folder of the code. */
  folder: string;
  /** The file with `defineArea`, and what it exports. */
  areaFile: string;
  constant: string;
  migrations: string;
  tests: string;
  /** Prefixes of imports: of the platform and the areas in code, of the code in specs, of what specs and migrations use. */
  platform: string;
  areas: string;
  code: string;
  testing: string;
  support: string;
  isPlugin: boolean;
}

/** In `src/areas/<area>`, or in the folder of a plug-in, whose area is called as the plug-in says or as the folder is. */
export function placeOf(area: string | undefined, into: string | undefined): Place {
  return into === undefined ? inRepository(area) : inPlugin(area, resolve(into));
}

function inRepository(area: string | undefined): Place {
  if (area === undefined) throw new Error('Say which area: --area <name>, or --into <folder> of a plug-in.');
  const folder = join(projectRoot, 'src', 'areas', area);
  return {
    area,
    folder,
    areaFile: join(folder, `${area}.area.ts`),
    constant: `${camel(area)}Area`,
    migrations: join(projectRoot, 'migrations'),
    tests: join(projectRoot, 'test', 'areas'),
    platform: '../../platform',
    areas: '..',
    code: `../../src/areas/${area}`,
    testing: '../support',
    support: './support',
    isPlugin: false,
  };
}

function inPlugin(area: string | undefined, folder: string): Place {
  const areaFile = join(folder, 'plugin.ts');
  const declared = existsSync(areaFile) ? /\bname: '([a-z-]+)'/.exec(readFileSync(areaFile, 'utf8'))?.[1] : undefined;
  return {
    area: area ?? declared ?? relative(join(folder, '..'), folder),
    folder,
    areaFile,
    constant: 'plugin',
    migrations: join(folder, 'migrations'),
    tests: join(folder, 'test'),
    platform: 'helpdesk-api/platform',
    areas: 'helpdesk-api/areas',
    code: '..',
    testing: 'helpdesk-api/testing',
    support: 'helpdesk-api/migrations',
    isPlugin: true,
  };
}

/** A timestamp for the next migration: now, or just behind the newest. */
export function nextTimestamp({ migrations }: Place): number {
  const names = existsSync(migrations) ? readdirSync(migrations) : [];
  const taken = names.map((name) => Number(/^(\d{13})-/.exec(name)?.[1] ?? 0));
  return Math.max(Math.floor(Date.now() / 1_000) * 1_000, ...taken.map((time) => time + 1_000));
}
