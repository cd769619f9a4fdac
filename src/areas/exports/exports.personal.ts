import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** Archives are files, which nobody rewrites: `ExportErasure` takes them away. */
export const exportsPersonal: readonly PersonalTable[] = [
  { table: 'exports', texts: [...RESOURCE_TEXTS, 'error'], free: ['status', 'resources', 'contents'] },
  { table: 'export_parts', free: ['storage_key', 'checksums_sha256'] },
];
