import { defineResource } from '../../../platform/resource/resource';
import { AiSettings } from './ai-settings.entity';

/** There is one, which no list shows. */
export const aiSettingsResource = defineResource(AiSettings, {
  name: 'ai_settings',
  singular: 'ai_settings',
  called: { one: 'AI settings', many: 'AI settings' },
  table: 'ai_settings',
  sort: {},
  filter: [],
});
