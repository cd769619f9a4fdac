import { Body, Controller } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import { invalid } from '../../../platform/errors/api-error';
import { flag, recordId } from '../../../platform/query/values';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute, UpdateRoute } from '../../../platform/routes/routes';
import { DirectoryGroup } from './directory-group.entity';
import { directoryGroupResource } from './directory-group.resource';
import { DirectoryUser } from './directory-user.entity';
import { directoryUserResource } from './directory-user.resource';
import { Links } from './links.service';
import { LinkUser, ProvisionUser, UpdateGroup } from './objects.dto';

@ApiTags('Active Directory')
@Controller('active-directory')
export class ObjectsController {
  constructor(
    @InjectReader(DirectoryUser) private readonly people: Reader<DirectoryUser>,
    @InjectReader(DirectoryGroup) private readonly groups: Reader<DirectoryGroup>,
    private readonly links: Links,
  ) {}

  @ListRoute(directoryUserResource, { path: 'users', summary: 'List people of directories' })
  listUsers(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.people.list(params);
  }

  @ReadRoute(directoryUserResource, { path: 'users/:id', summary: 'Get somebody of a directory' })
  readUser(@Id() id: number): Promise<SingleResult> {
    return this.people.read(id);
  }

  @ActionRoute(directoryUserResource, 'users/:id/link', {
    summary: 'Say who somebody is here',
    description: 'From the next run on the user is what the directory says; the role that they were given here stays.',
  })
  link(@Id() id: number, @Body() body: LinkUser, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.links.link(id, body, expected);
  }

  @ActionRoute(directoryUserResource, 'users/:id/unlink', {
    summary: 'Part somebody from their user',
    description: 'The user stays. A run links them again by the address, unless they are ignored.',
  })
  unlink(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.links.unlink(id, expected);
  }

  @ActionRoute(directoryUserResource, 'users/:id/ignore', {
    summary: 'Leave somebody alone',
    description: 'They are parted from their user, and runs change nobody because of them until they are linked.',
  })
  ignore(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.links.ignore(id, expected);
  }

  @ActionRoute(directoryUserResource, 'users/:id/provision', {
    summary: 'Make a user of somebody',
    description:
      'At once, whatever the mappings say; the role stays as one that was given here. 409 for who has a user, 422 without an e-mail address, with that of another user, and for who is disabled in the directory.',
  })
  provision(
    @Id() id: number,
    @Body() body: ProvisionUser,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.links.provision(id, body, expected);
  }

  @ListRoute(directoryGroupResource, { path: 'groups', summary: 'List groups of directories' })
  listGroups(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.groups.list(params);
  }

  @ReadRoute(directoryGroupResource, { path: 'groups/:id', summary: 'Get a group of a directory' })
  readGroup(@Id() id: number): Promise<SingleResult> {
    return this.groups.read(id);
  }

  @UpdateRoute(directoryGroupResource, {
    path: 'groups/:id',
    summary: 'Say what a group means here',
    description: 'What its members are from the next run on, beside what the mappings of the connection say.',
  })
  updateGroup(
    @Id() id: number,
    @Body() body: UpdateGroup,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.links.update(id, body, expected);
  }

  @ListRoute(directoryUserResource, {
    path: 'groups/:id/members',
    summary: 'List the members of a group',
    description: 'Those of groups within it, too, unless `nested` is false.',
  })
  @ApiQuery({ name: 'nested', required: false, schema: { type: 'boolean', default: true } })
  async members(@Id() id: number, @ListQuery() { query, ...params }: ListParams): Promise<ListResult> {
    const { nested, ...rest } = query;
    const filter = nested === undefined || flag(nested, 'nested') ? 'nested_group_id' : 'group_id';
    const given = rest[filter];
    if (given !== undefined && recordId(given, filter) !== id)
      invalid(filter, 'conflict', `"${filter}" is the group of the path.`);
    await this.groups.require(id);
    return this.people.list({ ...params, query: { ...rest, [filter]: String(id) } });
  }
}
