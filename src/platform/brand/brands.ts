import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { type Brand, brandOf, NO_BRAND } from './brand';

/** Knows what workspaces look like. */
@Injectable()
export class Brands {
  constructor(private readonly database: Database) {}

  /** The brand of the current workspace, as it is now. */
  current(): Promise<Brand> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<{ brand: Brand }>(
        `SELECT ${brandOf('w')} AS brand FROM workspaces w WHERE w.id = $1`,
        [currentWorkspaceId()],
      );
      return row?.brand ?? NO_BRAND;
    });
  }

  /** Keeps the logo of the current workspace, or none. Inside the unit of work that changes the workspace. */
  async keepLogo(logo: { content: Buffer; width: number; height: number } | null): Promise<void> {
    if (logo === null) {
      await this.database.query('DELETE FROM workspace_logos WHERE workspace_id = $1', [currentWorkspaceId()]);
      return;
    }
    await this.database.query(
      `INSERT INTO workspace_logos (workspace_id, content, width, height) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id) DO UPDATE SET content = excluded.content, width = excluded.width, height = excluded.height`,
      [currentWorkspaceId(), logo.content, logo.width, logo.height],
    );
  }
}
