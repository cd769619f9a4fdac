import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AnswerOf } from '../../../platform/http/answer-members';
import type { StreamResult } from '../../../platform/http/results';
import { AnswerStreams, asksToBeTold } from '../streaming/answer-streams';
import { TOLD_TOO, ToldToo } from '../streaming/told-answer';
import { AboutTicket, SuggestedReply, TicketSummary } from './answers.dto';
import { AnswersService } from './answers.service';

@ApiTags('AI engine')
@Controller('ai-engine')
export class AnswersController {
  constructor(
    private readonly answers: AnswersService,
    private readonly streams: AnswerStreams,
  ) {}

  @ToldToo()
  @Post('suggest-reply')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Suggest a reply to a ticket',
    description:
      'Made of sentences of published articles that customers may read, and of earlier replies to tickets like it, each with its source. Where no source says enough there is no answer. Where the settings name a provider it writes the answer, of the same passages.' +
      TOLD_TOO,
  })
  @AnswerOf(SuggestedReply, { description: 'Quotes and where they stand, or that there are none.' })
  suggest(
    @Body() { ticket_id: id }: AboutTicket,
    @Req() request: FastifyRequest,
  ): Promise<SuggestedReply | StreamResult> {
    if (!asksToBeTold(request)) return this.answers.suggest(id);
    return this.streams.tell(async (listener) => {
      const record = await this.answers.suggest(id, listener);
      return { record, said: record.answer };
    });
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
