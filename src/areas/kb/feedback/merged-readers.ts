// Own reads: all articles are held at once, whether or not whoever merges sees them.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { MergeFollowers } from '../../../platform/resource/merge-followers';

/** The articles that somebody has an opinion of, held as whoever says something of them holds them. */
const HELD = `
  SELECT a.id FROM kb_articles a WHERE a.workspace_id = $1
    AND a.id IN (SELECT f.article_id FROM kb_article_feedback f WHERE f.workspace_id = $1 AND f.contact_id = $2)
  ORDER BY a.id FOR UPDATE`;

/** Of two opinions of an article the earlier one goes, and is no longer counted. */
const UNITED = `
  WITH former AS (
    SELECT f.id FROM kb_article_feedback f
    JOIN kb_article_feedback n ON n.workspace_id = f.workspace_id AND n.article_id = f.article_id AND n.contact_id <> f.contact_id
    WHERE f.workspace_id = $1 AND f.contact_id = ANY($2::bigint[]) AND n.contact_id = ANY($2::bigint[])
      AND (f.updated_at, f.id) < (n.updated_at, n.id)
  ), gone AS (
    DELETE FROM kb_article_feedback f USING former WHERE f.workspace_id = $1 AND f.id = former.id
    RETURNING f.article_id, f.helpful, f.deflected
  )
  UPDATE kb_articles a SET helpful_count = a.helpful_count - gone.helpful::integer,
    not_helpful_count = a.not_helpful_count - (NOT gone.helpful)::integer,
    deflection_count = a.deflection_count - gone.deflected::integer
  FROM gone WHERE a.workspace_id = $1 AND a.id = gone.article_id`;

/** Opinions of two contacts who turn out to be one: a contact has one opinion of an article, the newest. */
@Injectable()
export class MergedReaders implements OnModuleInit {
  constructor(
    private readonly followers: MergeFollowers,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.followers.on('contacts', (from, into) => this.unite(from, into));
  }

  private async unite(from: number, into: number): Promise<void> {
    await this.database.query(HELD, [currentWorkspaceId(), from]);
    await this.database.query(UNITED, [currentWorkspaceId(), [from, into]]);
  }
}
