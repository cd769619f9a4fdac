import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { demandWholeSight } from '../../../platform/context/demand';
import { AnswerOf } from '../../../platform/http/answer-members';
import type { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { IfMatch, ReadRoute, UpdateRoute } from '../../../platform/routes/routes';
import { UpdateAiSettings } from './ai-settings.dto';
import { aiSettingsResource } from './ai-settings.resource';
import { AiSettingsService } from './ai-settings.service';
import { SettingsTest, TestedSettings } from './settings-test';

/** Why somebody who sees some tickets only does not say what answers them, and who is asked. */
const WHOLE = 'The AI engine works on every ticket; only those whose ticket scope is "all" may change its settings.';

@ApiTags('AI engine')
@Controller('ai-engine/settings')
export class AiSettingsController {
  constructor(
    private readonly settings: AiSettingsService,
    private readonly tried: SettingsTest,
  ) {}

  @ReadRoute(aiSettingsResource, {
    path: '',
    summary: 'Get the settings of the AI engine',
    description: 'What it does in this workspace, and how far its training is.',
  })
  read(): Promise<SingleResult> {
    return this.settings.read();
  }

  @Needs('ai-engine.configure')
  @UpdateRoute(aiSettingsResource, {
    path: '',
    summary: 'Change the settings of the AI engine',
    description: 'Only what the body names changes, of its objects (`thresholds`, `tasks`, `handover` …) too.',
  })
  update(@Body() body: UpdateAiSettings, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    demandWholeSight(WHOLE);
    return this.settings.update(body, expected);
  }

  @Needs('ai-engine.configure')
  @Post('test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Try the settings of the AI engine',
    description:
      'What it could do with them now: whether there is anything to quote, a model for each task, and whether the provider answers; where there is one it is asked.',
  })
  @AnswerOf(TestedSettings, { description: 'What it could do.' })
  test(): Promise<TestedSettings> {
    return this.tried.run();
  }
}
