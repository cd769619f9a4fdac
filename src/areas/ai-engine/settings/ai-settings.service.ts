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
import {
  DEFAULT_HANDOVER,
  DEFAULT_TASKS,
  DEFAULT_THRESHOLDS,
  type Handover,
  settingsWith,
  type Thresholds,
} from './ai-settings.values';

/** What holds, defaults filled in. */
export interface HoldingSettings {
  enabled: boolean;
  mode: AiSettings['mode'];
  thresholds: Required<Thresholds>;
  tasks: Record<Task, boolean>;
  handover: Required<Handover>;
  handover_team_id: number | null;
  channels: readonly string[];
  /** None = all. */
  languages: readonly string[];
}

type Stored = Pick<
  AiSettings,
  'enabled' | 'mode' | 'thresholds' | 'tasks' | 'handover' | 'handover_team_id' | 'channels' | 'languages'
>;

const STORED = `SELECT enabled, mode, thresholds, tasks, handover, handover_team_id, channels, languages
  FROM ai_settings WHERE workspace_id = $1`;

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
        ...(values.thresholds ? { thresholds: settingsWith(before.thresholds, values.thresholds) } : {}),
        ...(values.tasks ? { tasks: settingsWith(before.tasks, values.tasks) } : {}),
        ...(values.handover ? { handover: settingsWith(before.handover, values.handover) } : {}),
        ...(values.resolution_window_hours
          ? {
              resolution_window_hours: settingsWith(before.resolution_window_hours, values.resolution_window_hours),
            }
          : {}),
      },
    }));
  }

  /** What holds in the current workspace. */
  async holding(): Promise<HoldingSettings> {
    const [row] = await this.database.read(sql<Stored>(STORED, [currentWorkspaceId()]));
    return {
      enabled: row?.enabled ?? true,
      mode: row?.mode ?? 'suggest',
      thresholds: settingsWith(DEFAULT_THRESHOLDS, row?.thresholds ?? {}),
      tasks: settingsWith(DEFAULT_TASKS, row?.tasks ?? {}),
      handover: settingsWith(DEFAULT_HANDOVER, row?.handover ?? {}),
      handover_team_id: row?.handover_team_id ?? null,
      channels: row?.channels ?? [],
      languages: row?.languages ?? [],
    };
  }
}
