import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import { CreateRoute, DeleteRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { CreateFollower } from './follower.dto';
import { followerResource } from './follower.resource';
import { FollowersService } from './followers.service';

@ApiTags('Tickets')
@Controller('tickets/:id/followers')
export class FollowersController {
  constructor(private readonly followers: FollowersService) {}

  @ListRoute(followerResource, { summary: 'List the followers of a ticket', description: 'Oldest first.' })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.followers.listOf(id, params);
  }

  @Needs('tickets.comment')
  @CreateRoute(followerResource, {
    summary: 'Follow a ticket',
    description:
      'As the caller, or for another user. Followers are told of comments, and of what becomes of the ticket.',
  })
  create(@Id() id: number, @Body() body: CreateFollower): Promise<SingleResult> {
    return this.followers.follow(id, body);
  }

  @ReadRoute(followerResource, { path: ':follower_id' })
  read(@Id() id: number, @Id('follower_id') followerId: number): Promise<SingleResult> {
    return this.followers.read(id, followerId);
  }

  @Needs('tickets.comment')
  @DeleteRoute(followerResource, { path: ':follower_id', summary: 'End following a ticket' })
  remove(
    @Id() id: number,
    @Id('follower_id') followerId: number,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.followers.unfollow(id, followerId, expected);
  }
}
