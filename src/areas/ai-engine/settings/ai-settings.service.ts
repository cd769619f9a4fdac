import { Inject, Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { SharedReads } from '../../../platform/database/shared-reads';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { type AddressRange, parseRanges } from '../../../platform/outbound/addresses';
import { checkTargetUrl } from '../../../platform/outbound/target-url';
import { sql } from '../../../platform/postgres/statement-batch';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { SecretBox } from '../../../platform/secrets/secret-box';
import type { Task } from '../tasks';
import type { UpdateAiSettings } from './ai-settings.dto';
import { AiSettings } from './ai-settings.entity';
import {
  type AnswerSources,
  DEFAULT_HANDOVER,
  DEFAULT_SOURCES,
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
  /** The model elsewhere that answers; null where answers are found here. */
  model: string | null;
  channels: readonly string[];
  /** None = all. */
  languages: readonly string[];
  /** Of tickets that it answers in; none = all. */
  categories: readonly number[];
  sources: Required<AnswerSources>;
  /** There are canned responses that customers may be told, and they are among the sources. */
  hasSnippets: boolean;
  /** Below answers in tickets. */
  signature: string | null;
}

type Stored = Pick<
  AiSettings,
  | 'enabled'
  | 'mode'
  | 'thresholds'
  | 'tasks'
  | 'handover'
  | 'handover_team_id'
  | 'channels'
  | 'languages'
  | 'categories'
  | 'sources'
  | 'signature'
> & { model: string | null; has_snippets: boolean };

const STORED = `SELECT enabled, mode, thresholds, tasks, handover, handover_team_id, channels, languages, categories, sources, signature,
  CASE WHEN provider = 'openai_compatible' THEN coalesce(openai_compatible ->> 'model', '') END AS model,
  EXISTS (SELECT FROM canned_responses r WHERE r.workspace_id = $1 AND r.ai_answers AND r.sharing = 'everyone') AS has_snippets FROM ai_settings WHERE workspace_id = $1`;

/** Objects of which a change names what changes. */
const MERGED = [
  'thresholds',
  'tasks',
  'handover',
  'resolution_window_hours',
  'verify',
  'sources',
  'openai_compatible',
  'redact',
] as const;

@Injectable()
export class AiSettingsService {
  private readonly ranges: readonly AddressRange[];

  constructor(
    @InjectStore(AiSettings) private readonly settings: Store<AiSettings>,
    private readonly shared: SharedReads,
    private readonly secrets: SecretBox,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'aiAllowCidrs'>,
  ) {
    this.ranges = parseRanges(config.aiAllowCidrs);
  }

  read(): Promise<SingleResult> {
    return this.settings.read(currentWorkspaceId());
  }

  /** Changes what the body names, of its objects, too. */
  update(body: UpdateAiSettings, expected: ExpectedVersions): Promise<SingleResult> {
    return this.settings.update(currentWorkspaceId(), body, expected, (before, values) => {
      for (const name of MERGED)
        if (values[name]) Object.assign(values, { [name]: settingsWith<object>(before[name], values[name]) });
      if (body.api_key !== undefined)
        values.api_key_sealed = body.api_key === null ? null : this.secrets.seal(body.api_key);
      if (values.provider || values.openai_compatible) this.requireProvider({ ...before, ...values });
      const isKept = body.api_key === undefined && before.api_key_sealed !== null;
      if (isKept && values.openai_compatible) requireSamePlace(before.openai_compatible, values.openai_compatible);
      return { values };
    });
  }

  /** Refuses a provider that could not be asked. */
  private requireProvider({
    provider,
    openai_compatible: asked,
  }: Pick<AiSettings, 'provider' | 'openai_compatible'>): void {
    const { base_url: url, model } = asked;
    if (url !== undefined && url !== '') {
      const { problem } = checkTargetUrl(url, this.ranges);
      if (problem !== null) invalid('openai_compatible.base_url', 'format', `"openai_compatible.base_url" ${problem}.`);
    }
    if (provider === 'local') return;
    for (const [name, value] of Object.entries({ base_url: url ?? '', model: model ?? '' }))
      if (value === '')
        invalid(`openai_compatible.${name}`, 'required', `"openai_compatible.${name}" is needed to ask a provider.`);
  }

  /** What holds in the current workspace. */
  async holding(): Promise<HoldingSettings> {
    const [row] = await this.shared.read({ ...sql<Stored>(STORED, [currentWorkspaceId()]), quick: true });
    const sources = settingsWith(DEFAULT_SOURCES, row?.sources ?? {});
    return {
      enabled: row?.enabled ?? true,
      mode: row?.mode ?? 'suggest',
      thresholds: settingsWith(DEFAULT_THRESHOLDS, row?.thresholds ?? {}),
      tasks: settingsWith(DEFAULT_TASKS, row?.tasks ?? {}),
      handover: settingsWith(DEFAULT_HANDOVER, row?.handover ?? {}),
      handover_team_id: row?.handover_team_id ?? null,
      model: row?.model ?? null,
      channels: row?.channels ?? [],
      languages: row?.languages ?? [],
      categories: row?.categories ?? [],
      sources,
      hasSnippets: sources.canned_responses && row?.has_snippets === true,
      signature: row?.signature ?? null,
    };
  }
}

/** Who changes where the key goes shall know it: otherwise whoever may change the address could read it there. */
function requireSamePlace(before: AiSettings['openai_compatible'], after: AiSettings['openai_compatible']): void {
  const place = ({ base_url: url = '' }: typeof before): string => (URL.canParse(url) ? new URL(url).origin : '');
  if (place(before) !== place(after))
    invalid('api_key', 'required', '"api_key" must be given again: "openai_compatible.base_url" leads elsewhere.');
}
