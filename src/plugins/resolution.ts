import { Module } from 'node:module';
import { sep } from 'node:path';

/** What must be one in a process: the platform, and packages that keep what decorators say. */
const SHARED = /^(helpdesk-api|@nestjs\/[^/]+|typeorm|class-validator|class-transformer|reflect-metadata|rxjs)($|\/)/;

/** How Node finds what a CommonJS file requires. */
interface Resolver {
  _resolveFilename: (request: string, parent: { filename?: string | null } | undefined, ...rest: unknown[]) => string;
}

const folders = new Set<string>();

/**
 * Lets the files of a folder require the service (`helpdesk-api/platform/…`) and what it stands on, wherever the folder is and
 * whatever is installed beside it: two copies of the platform would not know each other. What else a file requires is its own,
 * or the service's where it has none.
 */
export function shareModulesWith(folder: string): void {
  if (folders.size === 0) extendResolution();
  folders.add(`${folder}${sep}`);
}

function extendResolution(): void {
  const resolver = Module as unknown as Resolver;
  const resolve = resolver._resolveFilename.bind(resolver);
  const asService = (request: string): string => resolve(request, module);
  resolver._resolveFilename = (request, parent, ...rest) => {
    const from = parent?.filename ?? '';
    if (![...folders].some((folder) => from.startsWith(folder))) return resolve(request, parent, ...rest);
    if (SHARED.test(request)) return asService(request);
    try {
      return resolve(request, parent, ...rest);
    } catch (error) {
      if (request.startsWith('.') || request.startsWith('/')) throw error;
      return asService(request);
    }
  };
}
