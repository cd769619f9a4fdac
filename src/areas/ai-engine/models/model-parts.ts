import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';

/** What one row holds: PostgreSQL and its driver take it in one go without trouble. */
const PART_BYTES = 1 << 20;

/** Stores the bytes of a model, in place of what there was. Inside a unit of work. */
export async function storeParts(database: Database, modelId: number, file: Uint8Array): Promise<void> {
  const key = [currentWorkspaceId(), modelId];
  await database.query('DELETE FROM ai_model_parts WHERE workspace_id = $1 AND model_id = $2', key);
  for (let part = 0; part * PART_BYTES < file.length; part++) {
    const content = Buffer.from(
      file.buffer,
      file.byteOffset + part * PART_BYTES,
      Math.min(PART_BYTES, file.length - part * PART_BYTES),
    );
    await database.query(
      `INSERT INTO ai_model_parts (workspace_id, model_id, part, content) VALUES ($1, $2, $3, decode($4, 'base64'))`,
      [...key, part, content.toString('base64')],
    );
  }
}

/** The bytes of a model; empty when there are none. */
export async function readParts(database: Database, modelId: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for (let part = 0; ; part++) {
    const text = `SELECT encode(content, 'base64') AS content FROM ai_model_parts WHERE workspace_id = $1 AND model_id = $2 AND part = $3`;
    const [row] = await database.read(sql<{ content: string }>(text, [currentWorkspaceId(), modelId, part]));
    if (!row) return Buffer.concat(parts);
    parts.push(Buffer.from(row.content, 'base64'));
  }
}
