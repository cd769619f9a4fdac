import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Link, OpenedByLink } from '../../../platform/auth/link.guard';
import { Needs } from '../../../platform/auth/permission';
import type { FileResult } from '../../../platform/http/results';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { RatingForm } from './rating.dto';
import { RatingPageService } from './rating-page.service';
import { RATING_PAGE } from './ratings.service';

@OpenedByLink(RATING_PAGE, ['tickets.read', 'tickets.rate'])
@ApiExcludeController()
@Controller('p/rate')
export class RatingPageController {
  constructor(private readonly page: RatingPageService) {}

  @Needs('tickets.read')
  @Get(':token')
  show(@Link() target: LinkTarget, @Query('score') score: unknown): Promise<FileResult> {
    return this.page.show(target, score);
  }

  @Needs('tickets.rate')
  @Post(':token')
  @HttpCode(200)
  take(@Link() target: LinkTarget, @Body() body: RatingForm): Promise<FileResult> {
    return this.page.take(target, body);
  }
}
