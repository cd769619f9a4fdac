import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import { Reader, type ListParams } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { Backfill, StartedBackfill } from '../predictions/backfill.service';
import { Training } from '../training/training.service';
import { StartedTraining, TrainModels } from '../training/training.dto';
import { AiModel } from './ai-model.entity';
import { aiModelResource } from './ai-model.resource';

@ApiTags('AI engine')
@Controller('ai-engine')
export class AiModelsController {
  constructor(
    @InjectReader(AiModel) private readonly models: Reader<AiModel>,
    private readonly training: Training,
    private readonly behind: Backfill,
  ) {}

  @ListRoute(aiModelResource, { path: 'models' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.models.list(params);
  }

  @ReadRoute(aiModelResource, { path: 'models/:id' })
  read(@Id() id: number): Promise<SingleResult> {
    return this.models.read(id);
  }

  @Needs('ai-engine.train')
  @Post('train')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Train the models of the workspace',
    description:
      'From its closed tickets, in the background, one task after the other; `GET /ai-engine/models` tells how far it is. A training that is under way already is not begun again.',
  })
  @AnswerOf(StartedTraining, { status: 202, description: 'The models that are going to be made.' })
  train(@Body() body: TrainModels): Promise<StartedTraining> {
    return this.training.start(body.tasks);
  }

  @Needs('ai-engine.train')
  @Post('backfill')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Predict tickets that came before there was a model',
    description:
      'Those that are being worked on, and of which a model that is ready has predicted nothing; in the background.',
  })
  @AnswerOf(StartedBackfill, { status: 202, description: 'How many there are.' })
  backfill(): Promise<StartedBackfill> {
    return this.behind.start();
  }
}
