import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../../platform/http/answer-members';
import { AboutTicket, SuggestedReply, TicketSummary } from './answers.dto';
import { AnswersService } from './answers.service';

@ApiTags('AI engine')
@Controller('ai-engine')
export class AnswersController {
  constructor(private readonly answers: AnswersService) {}

  @Post('suggest-reply')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Suggest a reply to a ticket',
    description:
      'Made of sentences of published articles that customers may read, and of earlier replies to tickets like it, each with its source. Where no source says enough there is no answer. Where the settings name a provider it writes the answer, of the same passages.',
  })
  @AnswerOf(SuggestedReply, { description: 'Quotes and where they stand, or that there are none.' })
  suggest(@Body() { ticket_id: id }: AboutTicket): Promise<SuggestedReply> {
    return this.answers.suggest(id);
  }

  @Post('summarize')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Summarize a ticket',
    description: 'At most three of its own sentences, word for word, and what happened when.',
  })
  @AnswerOf(TicketSummary, { description: 'Sentences and moments.' })
  summarize(@Body() { ticket_id: id }: AboutTicket): Promise<TicketSummary> {
    return this.answers.summarize(id);
  }
}
