// Own read: a tally, asked with every message.
import { currentWorkspaceId } from '../../../platform/context/current';
import type { SharedReads } from '../../../platform/database/shared-reads';
import { sql } from '../../../platform/postgres/statement-batch';
import type { JudgedAnswers } from './confidence';

/** Answers that were judged, the newest, that tell how sure to be. */
const MOST_JUDGED = 2_000;

const JUDGED = `
  SELECT least(9, floor(j.score * 10))::integer AS tenth, count(*)::integer AS n, (count(*) FILTER (WHERE j.helpful))::integer AS helpful
  FROM (SELECT m.score, m.helpful FROM ai_messages m WHERE m.workspace_id = $1 AND m.helpful IS NOT NULL AND m.score IS NOT NULL AND m.model IS NOT DISTINCT FROM $2
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_JUDGED}) j GROUP BY 1`;

/** What customers said of answers, by their score. @param model that wrote them; null = those that were found here */
export function judgedAnswers(reads: SharedReads, model: string | null): Promise<readonly JudgedAnswers[]> {
  return reads.read(sql<JudgedAnswers>(JUDGED, [currentWorkspaceId(), model]));
}
