import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { CommentWords } from './comment-words.service';
import { CreateComment, RedactComment, UpdateComment } from './comment.dto';
import { TicketComment } from './comment.entity';
import { commentResource } from './comment.resource';
import { CommentsService } from './comments.service';

@ApiTags('Tickets')
@Controller('tickets/:id/comments')
export class CommentsController {
  constructor(
    @InjectStore(TicketComment) private readonly records: Store<TicketComment>,
    private readonly comments: CommentsService,
    private readonly words: CommentWords,
  ) {}

  @ListRoute(commentResource, { description: 'Oldest first.' })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.comments.listOf(id, params);
  }

  @Needs('tickets.comment')
  @CreateRoute(commentResource, {
    summary: 'Comment on a ticket',
    description: 'What the requester reads needs the permission `tickets.reply`.',
  })
  create(@Id() id: number, @Body() body: CreateComment): Promise<SingleResult> {
    return this.comments.add(id, body);
  }

  @ReadRoute(commentResource, { path: ':cid' })
  read(@Id() id: number, @Id('cid') commentId: number): Promise<SingleResult> {
    return this.records.read(commentId, { ticket_id: id });
  }

  @Needs('tickets.comment')
  @UpdateRoute(commentResource, { path: ':cid' })
  update(
    @Id() id: number,
    @Id('cid') commentId: number,
    @Body() body: UpdateComment,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.comments.edit(id, commentId, body, expected);
  }

  @Needs('tickets.redact')
  @ActionRoute(commentResource, ':cid/redact', {
    summary: 'Redact a text in a comment',
    description:
      'The text is replaced by `[redacted]`. Copies of the comment in history, events, logs and mail lose all that it said, as if it were deleted; mail that waits is not sent.',
  })
  redact(
    @Id() id: number,
    @Id('cid') commentId: number,
    @Body() body: RedactComment,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.words.redact(id, commentId, body, expected);
  }

  @Needs('tickets.comment')
  @DeleteRoute(commentResource, { path: ':cid' })
  remove(@Id() id: number, @Id('cid') commentId: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.comments.removeFrom(id, commentId, expected);
  }
}
