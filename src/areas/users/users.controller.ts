import { Body, Controller, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { InjectReader } from '../../platform/resource/store.module';
import { OutOfOffice } from './out-of-office';
import { CreateUser, RemoveUser, UpdateUser } from './user.dto';
import { User } from './user.entity';
import { userResource } from './user.resource';
import { UsersService } from './users.service';

@ApiTags('Users')
@ApiExtraModels(OutOfOffice)
@Controller('users')
export class UsersController {
  constructor(
    @InjectReader(User) private readonly records: Reader<User>,
    private readonly users: UsersService,
  ) {}

  @ListRoute(userResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(userResource)
  create(@Body() body: CreateUser): Promise<SingleResult> {
    return this.users.create(body);
  }

  @ReadRoute(userResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('users.self')
  @UpdateRoute(userResource, {
    description:
      'Only what the body names changes. Of others, and of what says what one may, those change it who have `users.update`.',
  })
  update(@Id() id: number, @Body() body: UpdateUser, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.users.update(id, body, expected);
  }

  @DeleteRoute(userResource, {
    summary: 'Deactivate a user',
    description: 'The user stays readable with status `deactivated`; tickets keep their history.',
  })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions, @Query() query: RemoveUser): Promise<SingleResult> {
    return this.users.deactivate(id, expected, query);
  }
}
