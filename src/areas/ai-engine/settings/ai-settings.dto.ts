import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { AiSettings } from './ai-settings.entity';

const writable = [
  'enabled',
  'mode',
  'thresholds',
  'tasks',
  'channels',
  'languages',
  'handover',
  'handover_team_id',
  'resolution_window_hours',
  'verify',
  'minutes_per_answer',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(AiSettings, writable)
export class UpdateAiSettings extends PartialType(MembersOf(AiSettings, writable), { skipNullProperties: false }) {}
