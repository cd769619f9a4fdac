import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../../platform/auth/public.decorator';
import type { FileResult } from '../../../platform/http/results';
import { RatingForm } from './rating.dto';
import { RatingPageService } from './rating-page.service';

@Public()
@ApiExcludeController()
@Controller('p/rate')
export class RatingPageController {
  constructor(private readonly page: RatingPageService) {}

  @Get(':token')
  show(@Param('token') token: string, @Query('score') score: unknown): Promise<FileResult> {
    return this.page.show(token, score);
  }

  @Post(':token')
  @HttpCode(200)
  take(@Param('token') token: string, @Body() body: RatingForm): Promise<FileResult> {
    return this.page.take(token, body);
  }
}
