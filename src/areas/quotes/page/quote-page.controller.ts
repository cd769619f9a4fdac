import { Body, Controller, Get, HttpCode, Ip, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Link, OpenedByLink } from '../../../platform/auth/link.guard';
import { Needs } from '../../../platform/auth/permission';
import type { FileResult } from '../../../platform/http/results';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { AcceptForm, RejectForm } from './quote-page.dto';
import { QuotePageService } from './quote-page.service';
import { QUOTE_PAGE } from './quote-view';

/** The page behind `public_url`: a customer reads, accepts or declines a quote. */
@OpenedByLink(QUOTE_PAGE, ['quotes.read', 'quotes.answer'])
@ApiExcludeController()
@Controller('p/quotes')
export class QuotePageController {
  constructor(private readonly pages: QuotePageService) {}

  /** Who asks for no more than whether it is there, as scanners of mails do, has not seen it. */
  @Get(':token')
  show(@Link() target: LinkTarget, @Req() { method }: FastifyRequest): Promise<FileResult> {
    return this.pages.show(target, method !== 'HEAD');
  }

  @Get(':token/pdf')
  pdf(@Link() target: LinkTarget): Promise<FileResult> {
    return this.pages.pdf(target);
  }

  @Needs('quotes.answer')
  @Post(':token/accept')
  @HttpCode(200)
  accept(@Link() target: LinkTarget, @Body() { name, email }: AcceptForm, @Ip() ip: string): Promise<FileResult> {
    return this.pages.answer(target, { status: 'accepted', accepted_by: { name, email, ip } });
  }

  @Needs('quotes.answer')
  @Post(':token/reject')
  @HttpCode(200)
  reject(@Link() target: LinkTarget, @Body() { reason }: RejectForm): Promise<FileResult> {
    return this.pages.answer(target, { status: 'rejected', reason });
  }
}
