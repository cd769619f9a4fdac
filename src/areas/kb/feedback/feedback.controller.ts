import { Body, Controller } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ListParams } from '../../../platform/resource/reader';
import { CreateRoute, ListQuery, ListRoute } from '../../../platform/routes/routes';
import { answerSchema } from '../../../platform/routes/schema-names';
import { GiveFeedback } from './feedback.dto';
import { kbFeedbackResource } from './feedback.resource';
import { KbFeedbackService } from './feedback.service';

@ApiTags('Knowledge base')
@Controller('kb/articles/:id/feedback')
export class KbFeedbackController {
  constructor(private readonly feedback: KbFeedbackService) {}

  @ListRoute(kbFeedbackResource, { summary: 'List what readers said about an article' })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.feedback.listOf(id, params);
  }

  @Needs('kb.feedback')
  @CreateRoute(kbFeedbackResource, {
    summary: 'Say whether an article helped',
    description: 'Another opinion of the same contact takes the place of the first, and is answered with 200.',
  })
  @ApiOkResponse({
    description: 'The opinion that the contact had, as it is now.',
    schema: answerSchema(kbFeedbackResource),
  })
  give(@Id() id: number, @Body() body: GiveFeedback): Promise<SingleResult> {
    return this.feedback.give(id, body);
  }
}
