import { Body, Controller, Get, HttpCode, Ip, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../../platform/auth/public.decorator';
import type { FileResult } from '../../../platform/http/results';
import { AcceptForm, RejectForm } from './quote-page.dto';
import { QuotePageService } from './quote-page.service';

/** The page behind `public_url`: a customer reads, accepts or declines a quote. */
@Public()
@ApiExcludeController()
@Controller('p/quotes')
export class QuotePageController {
  constructor(private readonly pages: QuotePageService) {}

  @Get(':token')
  show(@Param('token') token: string): Promise<FileResult> {
    return this.pages.show(token);
  }

  @Get(':token/pdf')
  pdf(@Param('token') token: string): Promise<FileResult> {
    return this.pages.pdf(token);
  }

  @Post(':token/accept')
  @HttpCode(200)
  accept(@Param('token') token: string, @Body() { name, email }: AcceptForm, @Ip() ip: string): Promise<FileResult> {
    return this.pages.answer(token, { status: 'accepted', accepted_by: { name, email, ip } });
  }

  @Post(':token/reject')
  @HttpCode(200)
  reject(@Param('token') token: string, @Body() { reason }: RejectForm): Promise<FileResult> {
    return this.pages.answer(token, { status: 'rejected', reason });
  }
}
