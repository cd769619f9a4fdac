import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from './sql';

/**
 * An archive, unpacked and checked by the tools that everybody has; takes a file by its path.
 *
 * @param dataDir where it is unpacked
 */
export function unpacked(dataDir: string, archive: Buffer): (path: string) => Buffer {
  const folder = mkdtempSync(join(dataDir, 'unpacked-'));
  writeFileSync(join(folder, 'archive.tar.gz'), archive);
  execFileSync('tar', ['-xzf', 'archive.tar.gz'], { cwd: folder });
  execFileSync('sh', ['-c', 'cat checksums/* | sha256sum -c --quiet --strict'], { cwd: folder });
  const listed = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const lines = readdirSync(join(folder, 'checksums')).map((name) =>
    readFileSync(join(folder, 'checksums', name), 'utf8'),
  );
  // All but the archive itself, the lists and the manifest.
  expect(lines.join('').trim().split('\n')).toHaveLength(listed.length - 2 - lines.length);
  return (path) => readFileSync(join(folder, path));
}

/** What an archive says of itself. */
export interface Manifest {
  contents: { name: string; files: number; records: number; lost?: number }[];
  checksums: { name: string; sha256: string }[];
}

export const manifestOf = (file: (path: string) => Buffer): Manifest =>
  JSON.parse(file('manifest.json').toString()) as Manifest;

/** The records of a file of NDJSON. */
export const recordsOf = (content: Buffer): Record<string, unknown>[] =>
  content
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Teams that are too large for one part of an archive. */
export async function largeTeams(sql: Sql, { id }: { id: number }, count: number): Promise<void> {
  await sql.rows(
    `INSERT INTO teams (workspace_id, name, custom_fields)
     SELECT $1, 'Team ' || n, jsonb_build_object('text', repeat('x', 900000)) FROM generate_series(1, $2) n`,
    [id, count],
  );
}
