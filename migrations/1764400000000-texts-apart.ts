import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofSystem } from './support/v2/search-by-words';

/**
 * The words of tickets are looked up by their index alone: it knows the workspace itself. A condition that another index could
 * answer made PostgreSQL read the whole workspace from that one, for every word (a million entries for a word of ten tickets).
 * Lists and `GET /search` share the view.
 */
export class TextsApart1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW ticket_texts_search, search_tickets');
    await runner.query(view('ticket_texts_search', 'created_at, search_text, title_length', 'workspace_id + 0'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW ticket_texts_search');
    await runner.query(view('ticket_texts_search', 'created_at, search_text', 'workspace_id'));
    await runner.query(view('search_tickets', 'created_at, search_text, title_length', 'workspace_id'));
  }
}

const view = (name: string, columns: string, workspace: string): string => `
  CREATE VIEW ${name} AS
    SELECT workspace_id, id, ${columns}, search_terms(workspace_id, search_text, title_length) AS lexemes
    FROM ticket_texts WHERE ${workspace} = (SELECT current_setting('app.workspace_id')::bigint);
  ${ofSystem(name)}
`;
