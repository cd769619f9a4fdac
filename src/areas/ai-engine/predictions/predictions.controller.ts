import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ActionRoute, CreateRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { AiPrediction } from './prediction.entity';
import { aiPredictionResource } from './prediction.resource';
import { CreatePrediction, Predict, Predicted, ReviewPrediction } from './prediction.dto';
import { PredictionsService } from './predictions.service';

@ApiTags('AI engine')
@Controller('ai-engine')
export class PredictionsController {
  constructor(
    @InjectReader(AiPrediction) private readonly records: Reader<AiPrediction>,
    private readonly predictions: PredictionsService,
  ) {}

  @Post('predict')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Predict what a ticket or a text is',
    description:
      'Category, priority, assignee and team are learnt from the closed tickets of the workspace; without enough of them, and where it is not sure, it abstains and says why. Of a ticket the predictions are kept.',
  })
  @AnswerOf(Predicted, { description: 'A prediction for each task.' })
  predict(@Body() body: Predict): Promise<Predicted> {
    return this.predictions.predict(body);
  }

  @ListRoute(aiPredictionResource, { path: 'predictions' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(aiPredictionResource, {
    path: 'predictions',
    summary: 'Predict one thing of a ticket',
    description: 'The same as `predict` for one task, answered as the record that is kept.',
  })
  create(@Body() body: CreatePrediction): Promise<SingleResult> {
    return this.predictions.create(body);
  }

  @ReadRoute(aiPredictionResource, { path: 'predictions/:id' })
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @ActionRoute(aiPredictionResource, 'predictions/:id/review', {
    summary: 'Review a prediction',
    description:
      'Says whether it was right, or what it should have been. The ticket stays as it is; when it is resolved, what it has then is what was true.',
  })
  review(
    @Id() id: number,
    @Body() body: ReviewPrediction,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.predictions.review(id, body, expected);
  }
}
