import { Controller, Get } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../../platform/auth/public.decorator';
import { weakTag } from '../../../platform/http/if-none-match';
import { FileResult } from '../../../platform/http/results';
import { CHAT_PATH } from './chat-door';
import { widgetScript } from './widget-script';

/** Name of the script, below the path of chats. */
export const WIDGET_FILE = 'widget.js';

const SCRIPT = 'text/javascript; charset=utf-8';

/** The script that sites embed: the same for all of them, kept by browsers for an hour. */
@Public()
@ApiExcludeController()
@Controller(CHAT_PATH)
export class WidgetController {
  private readonly script = widgetScript();
  private readonly etag = weakTag(this.script);

  @Get(WIDGET_FILE)
  @RouteConfig({ servesScript: true })
  widget(): FileResult {
    return new FileResult(SCRIPT, this.script, null, { etag: this.etag });
  }
}
