import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import {
  EnumMember,
  FlagMember,
  IntegerMember,
  ListMember,
  ObjectMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { sql } from '../../../platform/postgres/statement-batch';
import { ChatProvider } from '../provider/chat-provider';
import { FAILURES, type Failure } from '../provider/provided-answer';
import { PROVIDERS } from './provider.values';
import { AiSettingsService } from './ai-settings.service';
import { LEARNT_TASKS, type LearntTask } from '../tasks';

class TestedTask {
  @EnumMember(LEARNT_TASKS)
  task: LearntTask;

  @FlagMember()
  is_ready: boolean;
}

/** How one question went, with a passage that answers it; it counts and is in the log as any other. */
class TestedProvider {
  @TextMember()
  model: string;

  @FlagMember({ description: 'Whether it answered, and cited what it was given.' })
  ok: boolean;

  @EnumMember(FAILURES, { nullable: true })
  failure: Failure | null;

  @IntegerMember({ minimum: 0 })
  latency_ms: number;

  @IntegerMember({ minimum: 0, description: 'Sent and answered, as it counts them.' })
  tokens: number;
}

/** Answer of `POST /ai-engine/settings/test`. */
export class TestedSettings {
  @EnumMember(PROVIDERS, { description: 'Who finds the answers, or writes them.' })
  provider: (typeof PROVIDERS)[number];

  @ObjectMember(() => TestedProvider, { nullable: true, description: 'null where answers are found here.' })
  asked: TestedProvider | null;

  @FlagMember({
    description: 'Whether customers would be answered anything: it is switched on, and there is something to quote.',
  })
  ok: boolean;

  @IntegerMember({ minimum: 0, description: 'Articles that it may quote to customers.' })
  articles: number;

  @IntegerMember({ minimum: 0, description: 'Canned responses that it may quote to customers.' })
  canned_responses: number;

  @ListMember(() => TestedTask, { description: 'Whether there is a model for each task that has to be learnt.' })
  tasks: TestedTask[];
}

/** What a provider is tried with. */
const QUESTION = 'Which colour has the door of the test?';
const PASSAGE = 'The door of the test is green.';

/** What there is to quote to customers, and the tasks that have a model. */
interface Quotable {
  articles: number;
  canned_responses: number;
  ready: string[];
}

const ARTICLES = `
  SELECT (SELECT count(*)::integer FROM kb_articles a WHERE a.workspace_id = $1 AND a.live_version IS NOT NULL AND a.ai_enabled
      AND a.visibility IN ('public', 'customers') AND a.company_ids = '{}') AS articles,
    (SELECT count(*)::integer FROM canned_responses r WHERE r.workspace_id = $1 AND r.ai_answers AND r.sharing = 'everyone') AS canned_responses,
    ARRAY(SELECT m.task FROM ai_models m WHERE m.workspace_id = $1 AND m.status = 'ready') AS ready`;

/** Tells what the engine could do with the settings as they are. */
@Injectable()
export class SettingsTest {
  constructor(
    private readonly database: Database,
    private readonly settings: AiSettingsService,
    private readonly provider: ChatProvider,
  ) {}

  async run(): Promise<TestedSettings> {
    const { enabled, model, sources } = await this.settings.holding();
    const statement = sql<Quotable>(ARTICLES, [currentWorkspaceId()]);
    const { articles = 0, canned_responses = 0, ready = [] } = (await this.database.read(statement))[0] ?? {};
    const tasks = LEARNT_TASKS.map((task) => ({ task, is_ready: ready.includes(task) }));
    const asked = enabled ? await this.ask() : null;
    const isThere = (sources.kb_articles && articles > 0) || (sources.canned_responses && canned_responses > 0);
    const ok = enabled && isThere && asked?.ok !== false;
    return { provider: model === null ? 'local' : 'openai_compatible', ok, asked, articles, canned_responses, tasks };
  }

  private async ask(): Promise<TestedProvider | null> {
    const began = performance.now();
    const provided = await this.provider.ask(QUESTION, [PASSAGE]);
    if (!provided) return null;
    const { model, ok, spent } = provided;
    const failure = provided.ok ? null : provided.failure;
    const latency_ms = Math.round(performance.now() - began);
    return { model, ok, failure, latency_ms, tokens: spent.tokensIn + spent.tokensOut };
  }
}
