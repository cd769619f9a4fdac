import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import type { QuotedMessage } from '../../platform/mail/letter/letter';
import { teamName } from '../teams/team-lookup';

/** Messages that a mail repeats, and characters of each. */
const MOST = 4;
const LONGEST = 2_000;

/**
 * What requester and agents said to each other before a comment, newest first; the last of it is the description. Notes among agents are
 * no part of it. Nothing when the comment is gone. Inside a unit of work.
 */
export async function repliesBefore(database: Database, commentId: number): Promise<QuotedMessage[]> {
  const rows = await database.query<QuotedMessage & { is_cut: boolean }>(HISTORY, [currentWorkspaceId(), commentId]);
  return rows.map(({ author, at, text, is_cut: isCut }) => ({
    author,
    at,
    text: isCut ? `${text.toWellFormed()} …` : text,
  }));
}

/** Who is not a person of the desk or a requester (a token, a rule) speaks as the team, or as the workspace. */
const HISTORY = `
  SELECT h.author, h.at, left(h.text, ${LONGEST}) AS text, length(h.text) > ${LONGEST} AS is_cut FROM ticket_comments c
  JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id
  JOIN workspaces w ON w.id = t.workspace_id
  CROSS JOIN LATERAL (
    (SELECT p.body AS text, p.created_at AS at, p.id AS place,
      coalesce(CASE WHEN p.author_type = 'requester' OR (p.author_type = 'agent' AND p.author_id IS NOT NULL) THEN coalesce(p.author_name, p.author_email) END,
        (${teamName('t.team_id')}), w.name) AS author
     FROM ticket_comments p
     WHERE p.workspace_id = t.workspace_id AND p.ticket_id = t.id AND p.id < c.id AND NOT p.is_internal ORDER BY p.id DESC LIMIT ${MOST})
    UNION ALL
    SELECT t.description, t.created_at, 0, coalesce(t.requester_name, t.requester_email, w.name) WHERE t.description <> ''
  ) h
  WHERE c.workspace_id = $1 AND c.id = $2 ORDER BY h.place DESC LIMIT ${MOST}`;
