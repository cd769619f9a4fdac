// Own reads: what holds is asked with every prediction, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { SingleResult } from '../../../platform/http/results';
import { sql } from '../../../platform/postgres/statement-batch';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { Task } from '../tasks';
import type { UpdateAiSettings } from './ai-settings.dto';
import { AiSettings } from './ai-settings.entity';
import { DEFAULT_TASKS, DEFAULT_THRESHOLDS, tasksWith, type Thresholds, thresholdsWith } from './ai-settings.values';

/** What holds, defaults filled in. */
export interface HoldingSettings {
  enabled: boolean;
  mode: AiSettings['mode'];
  thresholds: Required<Thresholds>;
  tasks: Record<Task, boolean>;
}

@Injectable()
export class AiSettingsService {
  constructor(
    @InjectStore(AiSettings) private readonly settings: Store<AiSettings>,
    private readonly database: Database,
  ) {}

  read(): Promise<SingleResult> {
    return this.settings.read(currentWorkspaceId());
  }

  /** Changes what the body names, of its objects, too. */
  update(body: UpdateAiSettings, expected: ExpectedVersions): Promise<SingleResult> {
    return this.settings.update(currentWorkspaceId(), body, expected, (before, values) => ({
      values: {
        ...values,
        ...(values.thresholds ? { thresholds: thresholdsWith(before.thresholds, values.thresholds) } : {}),
        ...(values.tasks ? { tasks: tasksWith(before.tasks, values.tasks) } : {}),
      },
    }));
  }

  /** What holds in the current workspace. */
  async holding(): Promise<HoldingSettings> {
    const text = 'SELECT enabled, mode, thresholds, tasks FROM ai_settings WHERE workspace_id = $1';
    const [row] = await this.database.read(
      sql<Pick<AiSettings, 'enabled' | 'mode' | 'thresholds' | 'tasks'>>(text, [currentWorkspaceId()]),
    );
    return {
      enabled: row?.enabled ?? true,
      mode: row?.mode ?? 'suggest',
      thresholds: thresholdsWith(DEFAULT_THRESHOLDS, row?.thresholds ?? {}),
      tasks: tasksWith(DEFAULT_TASKS, row?.tasks ?? {}),
    };
  }
}
