import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { eachAlone } from '../../../platform/schedule/each-alone';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { AiConversation } from './conversation.entity';
import { ENGINE } from './engine-actor';

const EVERY_MS = 60_000;
const BATCH = 200;

interface Idle {
  workspace_id: number;
  id: number;
  at: string;
}

const window = (name: 'chat' | 'email', hours: number): string =>
  `coalesce((s.resolution_window_hours ->> '${name}')::integer, ${hours})`;

/** Conversations in which the customer has been silent for as long as the settings say. */
const IDLE = `
  SELECT c.workspace_id, c.id, c.last_activity_at AS at FROM ai_conversations c JOIN ai_settings s ON s.workspace_id = c.workspace_id
  WHERE c.status = 'awaiting_user_reply' AND c.last_activity_at <= now() - interval '1 hour'
    AND c.last_activity_at <= now() - make_interval(hours => CASE WHEN c.channel = 'email' THEN ${window('email', 72)} ELSE ${window('chat', 24)} END)
  ORDER BY c.last_activity_at LIMIT ${BATCH}`;

/** Ends conversations of customers who say nothing more: after an answer that counts as resolved, else as abandoned. */
@Injectable()
export class IdleConversations implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    @InjectStore(AiConversation) private readonly conversations: Store<AiConversation>,
  ) {}

  onModuleInit(): void {
    this.jobs.register('idle-ai-conversations', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One round; inside `Database.system()`. One that cannot be ended keeps no other waiting. */
  async run(): Promise<unknown> {
    const idle = await this.database.query<Idle>(IDLE);
    await eachAlone(idle, (each) => this.end(each), 'conversations could not be ended');
    return idle.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** Looks again under the lock: the customer may have written since. */
  private end({ workspace_id, id, at }: Idle): Promise<void> {
    return this.database.inWorkspace(workspace_id, ENGINE, () =>
      this.database.transaction(async () => {
        const before = await this.conversations.lockIfAny(id);
        if (before?.status !== 'awaiting_user_reply' || Date.parse(before.last_activity_at) !== Date.parse(at)) return;
        const isAnswered = before.action === 'answer' && before.resolution_state !== 'negative_feedback';
        await this.conversations.apply(
          before,
          isAnswered
            ? {
                values: { status: 'resolved', resolution_state: 'assumed', resolved_at: await this.database.moment() },
                events: ['ai_conversation.resolved'],
              }
            : { values: { status: 'abandoned' }, events: ['ai_conversation.abandoned'] },
        );
      }),
    );
  }
}
