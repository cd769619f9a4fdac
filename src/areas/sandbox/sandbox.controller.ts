import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { AnswerOf } from '../../platform/http/answer-members';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { IfMatch } from '../../platform/routes/routes';
import { MoveClock, SandboxClockAnswer } from './sandbox.dto';
import { SandboxService } from './sandbox.service';

@ApiTags('Sandbox')
@Controller('sandbox')
export class SandboxController {
  constructor(private readonly sandbox: SandboxService) {}

  @Get('clock')
  @ApiOperation({
    summary: 'Get the clock of the workspace',
    description:
      'What time it is in the workspace, and whether all is done that has come due by then. Ordinary workspaces are told the real time.',
  })
  @AnswerOf(SandboxClockAnswer, { description: 'The clock.' })
  clock(): Promise<SingleResult> {
    return this.sandbox.clock();
  }

  @Needs('sandbox.update')
  @Post('reset')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Empty the sandbox and begin anew',
    description:
      'All of its records and events go, whatever was planned is called off, and its clock shows the real time; tokens, users, teams and the rules of the workspace stay. Then it has what it was made with. A job does it: `GET /sandbox/clock` says when that is settled. 409 where the workspace is no sandbox, or is being reset.',
  })
  @AnswerOf(SandboxClockAnswer, {
    description: 'The clock, while the job is yet to be done.',
    status: 202,
    versioned: true,
  })
  reset(): Promise<SingleResult> {
    return this.sandbox.reset();
  }

  @Needs('sandbox.update')
  @Post('clock')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Move the clock of the sandbox',
    description:
      'Forward only. What has come due by then (promises, automations, reminders, expiry, retries) is done at once, as after a time in which nothing ran: `GET /sandbox/clock` says when that is settled. No other workspace notices; 409 where the workspace is no sandbox.',
  })
  @AnswerOf(SandboxClockAnswer, { description: 'The clock as it is now.', versioned: true })
  move(@Body() body: MoveClock, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.sandbox.move(body, expected);
  }
}
