import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { normaliseTags } from '../../../platform/columns/column-spec';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import {
  type Left,
  type Standing,
  type TakenOver,
  type TakenValues,
  type Takeover,
} from '../../../platform/resource/takeover';
import { IfGiven } from '../../../platform/validation/shapes';
import { KbArticleVersion } from './version.entity';
import { kbArticleVersionResource } from './version.resource';

const SAID = [
  ...(['article_id', 'number', 'title', 'body', 'excerpt', 'language', 'tags', 'keywords', 'status'] as const),
  ...(['change_note', 'editor_name', 'published_at'] as const),
];

class TakenVersion extends PickType(KbArticleVersion, [...SAID, 'created_at'] as const) {
  @ApiProperty({ type: 'string', maxLength: 255, required: false })
  @IfGiven()
  @IsString()
  @MaxLength(255)
  external_id?: string;
}

/** An article that versions are of, and the one that has the number already. */
interface Known {
  version_number: number;
  language: string;
  status: string;
  version_id: number | null;
  /** Whether that says the same. */
  is_same: boolean;
}

/**
 * How versions that articles had in another system come in: below the number of the one that they have here, to be read and brought
 * back. They never change, and are in no search.
 */
export class PastVersions implements Takeover {
  readonly resource = kbArticleVersionResource;
  readonly place = 85;
  readonly body = TakenVersion;
  readonly needs = ['article_id', 'number', 'title', 'body'];
  readonly keys: readonly string[] = [];
  readonly fixed = [...SAID, 'created_at'];

  constructor(private readonly database: Database) {}

  async store(records: readonly TakenValues[]): Promise<TakenOver> {
    const [ids, warnings]: [number[], string[][]] = [[], []];
    for (const record of records) {
      const known = await this.known(record);
      ids.push(known.version_id ?? (await this.insert(record, known)));
      warnings.push(known.version_id === null ? [] : ['number: the article has a version of this number, which stays']);
    }
    return { ids, warnings };
  }

  standing(): Promise<Standing> {
    return Promise.resolve({ version: 1, row: {}, stays: 'versions do not change' });
  }

  revise(): Promise<[]> {
    return Promise.resolve([]);
  }

  putBack(): Promise<null> {
    return Promise.resolve(null);
  }

  /** What was written with its article stays with that. */
  async takeBack(taken: readonly Left[]): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `DELETE FROM kb_article_versions v USING kb_articles a WHERE v.workspace_id = $1 AND v.id = ANY($2::bigint[]) AND a.workspace_id = $1
         AND a.id = v.article_id AND v.editor_type = 'import' AND v.number < a.version_number RETURNING v.id`,
      [currentWorkspaceId(), taken.map(({ id }) => id)],
    );
    return rows.map(({ id }) => id);
  }

  private async known({ article_id, number, title, body }: TakenValues): Promise<Known> {
    const [known] = await this.database.query<Known & Record<string, unknown>>(
      `SELECT a.version_number, a.language, a.status, v.id AS version_id, coalesce(v.title = $4 AND v.body = $5, false) AS is_same
       FROM kb_articles a LEFT JOIN kb_article_versions v ON v.workspace_id = $1 AND v.article_id = a.id AND v.number = $3::bigint
       WHERE a.workspace_id = $1 AND a.id = $2 FOR UPDATE OF a`,
      [currentWorkspaceId(), article_id, number, title, body],
    );
    if (!known) return invalid('article_id', 'not_found', `No article ${String(article_id)}.`);
    const { version_number: last, version_id: id } = known;
    if (id === null && (typeof number !== 'number' || number < 1 || number >= last))
      invalid('number', 'max', `The article has version ${last}; older ones have lower numbers, from 1.`, {
        max: last,
      });
    if (id !== null && !known.is_same)
      invalid('number', 'unique', `The article has another text as version ${String(number)}.`);
    return known;
  }

  private async insert(record: TakenValues, { language, status }: Known): Promise<number> {
    const text = (name: string, otherwise = ''): string => {
      const value = record[name];
      return typeof value === 'string' ? value : otherwise;
    };
    const tags = (name: string): string => {
      const value = record[name];
      return typeof value === 'string' || Array.isArray(value) ? normaliseTags(value) : '';
    };
    const moment = text('created_at', await this.database.moment());
    const [row] = await this.database.query<{ id: number }>(
      `INSERT INTO kb_article_versions (workspace_id, article_id, number, title, body, excerpt, excerpt_given, language, tags, keywords, status, change_note,
         editor_type, editor_id, editor_name, published_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'import', NULL, $13, $14, $15) RETURNING id`,
      [
        ...[currentWorkspaceId(), record.article_id, record.number, text('title'), text('body'), text('excerpt')],
        ...[text('excerpt') !== '', text('language', language), tags('tags'), tags('keywords'), text('status', status)],
        ...[record.change_note ?? null, text('editor_name'), record.published_at ?? null, moment],
      ],
    );
    return row?.id ?? 0;
  }
}
