import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { AttachmentHolder } from '../../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../../attachments/holders/attachment-holders';
import { visibleToFilter } from './article-visibility';

/** Files of articles: customers see those of what they can read, so of no draft and of nothing internal. */
@Injectable()
export class ArticleFiles implements AttachmentHolder, OnModuleInit {
  readonly column = 'article_id';
  readonly permission = 'kb.update';

  constructor(
    private readonly database: Database,
    private readonly holders: AttachmentHolders,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  async isPublic(id: number): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM kb_articles a WHERE a.workspace_id = $1 AND a.id = $2 AND a.live_version IS NOT NULL AND ${forCustomers}`,
      [currentWorkspaceId(), id],
    );
    return rows.length === 1;
  }

  async place(id: number): Promise<{ article_id: number } | null> {
    const rows = await this.database.query(
      'SELECT FROM kb_articles WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [currentWorkspaceId(), id],
    );
    return rows.length === 1 ? { article_id: id } : null;
  }
}

const forCustomers = visibleToFilter.sql('a', 'customers', () => '');
