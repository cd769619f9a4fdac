import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { EnumMember, FlagMember, IntegerMember, ListMember, TextMember } from '../../../platform/http/answer-members';
import { sql } from '../../../platform/postgres/statement-batch';
import { AiSettingsService } from './ai-settings.service';
import { LEARNT_TASKS, type LearntTask } from '../tasks';

class TestedTask {
  @EnumMember(LEARNT_TASKS)
  task: LearntTask;

  @FlagMember()
  is_ready: boolean;
}

/** Answer of `POST /ai-engine/settings/test`. */
export class TestedSettings {
  @TextMember({ description: 'Who finds the answers: `local`.' })
  provider: string;

  @FlagMember({
    description: 'Whether customers would be answered anything: it is switched on, and there is something to quote.',
  })
  ok: boolean;

  @IntegerMember({ minimum: 0, description: 'Articles that it may quote to customers.' })
  articles: number;

  @ListMember(() => TestedTask, { description: 'Whether there is a model for each task that has to be learnt.' })
  tasks: TestedTask[];
}

const ARTICLES = `
  SELECT (SELECT count(*)::integer FROM kb_articles a WHERE a.workspace_id = $1 AND a.live_version IS NOT NULL AND a.ai_enabled
      AND a.visibility IN ('public', 'customers') AND a.company_ids = '{}') AS articles,
    ARRAY(SELECT m.task FROM ai_models m WHERE m.workspace_id = $1 AND m.status = 'ready') AS ready`;

/** Tells what the engine could do with the settings as they are. */
@Injectable()
export class SettingsTest {
  constructor(
    private readonly database: Database,
    private readonly settings: AiSettingsService,
  ) {}

  async run(): Promise<TestedSettings> {
    const { enabled } = await this.settings.holding();
    const statement = sql<{ articles: number; ready: string[] }>(ARTICLES, [currentWorkspaceId()]);
    const { articles = 0, ready = [] } = (await this.database.read(statement))[0] ?? {};
    const tasks = LEARNT_TASKS.map((task) => ({ task, is_ready: ready.includes(task) }));
    return { provider: 'local', ok: enabled && articles > 0, articles, tasks };
  }
}
