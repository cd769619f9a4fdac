import { Body, Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AlsoAnswers } from '../../../platform/http/answer-members';
import { etag } from '../../../platform/http/openapi-components';
import { Throttle } from '@nestjs/throttler';
import { Needs } from '../../../platform/auth/permission';
import type { FileResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { ActionRoute, DeleteRoute, IfMatch } from '../../../platform/routes/routes';
import { workspaceResource } from '../workspace.resource';
import { NewLogo } from './logo.dto';
import { LogoService } from './logo.service';

/** Drawing takes time, and every change empties the cache of tokens. */
const CHANGES_A_MINUTE = 20;

@ApiTags('Workspace')
@Controller('workspace/logo')
export class LogoController {
  constructor(private readonly logo: LogoService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the logo',
    description: 'As it stands on pages, documents and mails: PNG, at most 480 by 160 pixels. 404 where there is none.',
  })
  @ApiResponse({
    status: 200,
    description: 'The picture.',
    headers: etag,
    content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
  })
  @AlsoAnswers(404)
  picture(): Promise<FileResult> {
    return this.logo.picture();
  }

  @ActionRoute(workspaceResource, '', {
    summary: 'Set the logo',
    description:
      'Draws an uploaded picture anew, at most 480 by 160 pixels, for public pages, documents and mails; the upload itself is not needed ' +
      'afterwards. 422 for what is no picture, and for one of more than 5 MB or 25 million pixels.',
  })
  @Needs('workspace.update')
  @Throttle({ default: { limit: CHANGES_A_MINUTE, ttl: 60_000 } })
  put(@Body() body: NewLogo, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.logo.put(body.attachment_id, expected);
  }

  @DeleteRoute(workspaceResource, {
    path: '',
    summary: 'Remove the logo',
    description: 'The name stands in its place. Answers the workspace.',
  })
  @Throttle({ default: { limit: CHANGES_A_MINUTE, ttl: 60_000 } })
  remove(@IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.logo.remove(expected);
  }
}
