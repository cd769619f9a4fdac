import type { INestApplicationContext } from '@nestjs/common';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../folder';
import { reasonOf, StartError } from '../../embedded/start-error';
import type { Workspace } from '../../platform/auth/workspace.entity';
import { ProvisioningError } from '../../platform/auth/provisioning-error';
import { hashToken } from '../../platform/auth/token-format';
import type { RuntimeConfig } from '../../platform/context/runtime-config';
import { Database } from '../../platform/database/database';
import { DEMO_DESK } from '../seed/desk';
import { seedWorkspace } from '../seed/workspace';
import { openSession, type Session } from '../session';
import { addDemoRecords } from './records';

export const DEMO_SLUG = 'demo';
const DEMO_TICKETS = 200;
/** Id of the first event of a new demo workspace, so that `/docs` can name one. */
export const DEMO_EVENT = 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071';

/** A workspace to try things in. */
export interface Demo {
  token: string;
  /** Id of the workspace, when this call made it. */
  madeNow: number | null;
}

/**
 * Makes sure that there is a workspace to try things in, and answers a token for it: the same one on every start. A
 * database of one's own gets it only while it has no workspace at all.
 *
 * @param own the database is one's own (DATABASE_URL), not the embedded one
 * @returns the token, and the workspace when it was made just now; null when there is no demo to show, also when the token kept in DATA_DIR was revoked: nobody wants it back
 * @throws StartError when the data directory cannot be written
 */
export async function seedDemoWorkspace(config: RuntimeConfig, own = false): Promise<Demo | null> {
  return openSession(config, config.databaseUrl, async (session) => {
    const file = join(config.dataDir, 'demo-token');
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
    if (own && kept === null && (await isInUse(session))) return null;
    const found = await session.provisioning.findWorkspace(DEMO_SLUG);
    const workspace = found ?? (await createDemo(session, config.migrateDatabaseUrl));
    const madeNow = found === null ? workspace.id : null;
    const owner = kept === null ? null : await workspaceOf(session, kept);
    if (kept !== null && owner === workspace.id) return { token: kept, madeNow };
    // A token of this very installation that is no longer accepted was revoked on purpose.
    if (kept !== null && (await wasRevoked(session, kept))) return null;
    const { token } = await session.tokens.create({ workspaceId: workspace.id, scopes: ['*'], name: 'Demo' });
    if (madeNow !== null) await nameFirstEvent(session.database, madeNow);
    keep(file, token);
    return { token, madeNow };
  });
}

/** Two nodes may start on one new database at the same moment: the second finds the first one's workspace. */
async function createDemo({ provisioning }: Session, databaseUrl: string): Promise<Workspace> {
  try {
    const workspace = await provisioning.createWorkspace({
      name: 'Demo',
      slug: DEMO_SLUG,
      plan: 'enterprise',
      sandbox: 'demo',
    });
    await seedDemoTickets(databaseUrl, workspace.id);
    return workspace;
  } catch (error) {
    if (error instanceof ProvisioningError) return provisioning.workspace(DEMO_SLUG);
    throw error;
  }
}

async function seedDemoTickets(databaseUrl: string, workspaceId: number): Promise<void> {
  await seedWorkspace({ databaseUrl, workspaceId, tickets: DEMO_TICKETS, comments: true, desk: DEMO_DESK });
}

/** The same in a demo workspace that was emptied, whose people are still there. */
export async function refillDemo(
  app: INestApplicationContext,
  { migrateDatabaseUrl }: RuntimeConfig,
  workspaceId: number,
): Promise<void> {
  await seedDemoTickets(migrateDatabaseUrl, workspaceId);
  await addDemoRecords(app, workspaceId);
  await nameFirstEvent(app.get(Database), workspaceId);
}

async function nameFirstEvent(database: Database, workspaceId: number): Promise<void> {
  await database.system(() =>
    database.query(
      `UPDATE events e SET uid = $2, causation = replace(causation::text, uid, $2)::json
       WHERE workspace_id = $1 AND id = (SELECT min(id) FROM events WHERE workspace_id = $1)`,
      [workspaceId, DEMO_EVENT],
    ),
  );
}

async function isInUse({ database }: Session): Promise<boolean> {
  return (await database.system(() => database.query('SELECT 1 FROM workspaces LIMIT 1'))).length > 0;
}

async function workspaceOf({ database }: Session, token: string): Promise<number | null> {
  const [row] = await database.system(() =>
    database.query<{ id: number | null }>(`SELECT (auth_lookup($1) -> 'workspace' ->> 'id')::bigint AS id`, [
      hashToken(token),
    ]),
  );
  return row?.id ?? null;
}

async function wasRevoked({ database }: Session, token: string): Promise<boolean> {
  const rows = await database.system(() =>
    database.query('SELECT 1 FROM tokens WHERE hash = $1 AND revoked_at IS NOT NULL', [hashToken(token)]),
  );
  return rows.length > 0;
}

function keep(file: string, token: string): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
  } catch (error) {
    throw new StartError(
      `The demo token cannot be kept in ${file} (${reasonOf(error)}); set DATA_DIR to a directory this user may write.`,
    );
  }
}
