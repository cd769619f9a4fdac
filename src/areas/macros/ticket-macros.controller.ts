import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../platform/http/answer-members';
import { Id } from '../../platform/http/id';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { IfMatch } from '../../platform/routes/routes';
import { ticketResource } from '../tickets/ticket.resource';
import { ApplyQuery, MacroOutcome } from './macro.dto';
import { MacrosService } from './macros.service';

@ApiTags('Macros')
@Controller('tickets/:id/macros')
export class TicketMacrosController {
  constructor(private readonly macros: MacrosService) {}

  @Post(':macro_id')
  @HttpCode(200)
  @ApiExtraModels(ticketResource.entity)
  @ApiOperation({
    summary: 'Apply a macro to a ticket',
    description:
      'Its actions are done as the caller, all of them or none; 403 for one that the caller may not do otherwise. With `preview=true` nothing is done, and the answer tells what would be.',
  })
  @AnswerOf(MacroOutcome, { description: 'What changed and was said, or would be.' })
  apply(
    @Id() id: number,
    @Id('macro_id') macroId: number,
    @Query() { preview }: ApplyQuery,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<MacroOutcome> {
    return this.macros.apply(id, macroId, expected, preview);
  }
}
