import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Retrieve, Retrieved } from './retrieval.dto';
import { RetrievalService } from './retrieval.service';

@ApiTags('AI engine')
@Controller('ai-engine/retrieve')
export class RetrievalController {
  constructor(private readonly retrieval: RetrievalService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Find passages that answer a question',
    description:
      'Of articles that are published and open to the AI engine, of the last replies to resolved tickets, and of canned responses, but for sentences with a variable; word for word, with where they stand. Nothing is written anew. It is a search, which stays where the AI engine is switched off.',
  })
  @AnswerOf(Retrieved, { description: 'The best passage of each source.' })
  async retrieve(@Body() body: Retrieve): Promise<Retrieved> {
    return { hits: await this.retrieval.find(body) };
  }
}
