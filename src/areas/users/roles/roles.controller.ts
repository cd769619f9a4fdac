import { Body, Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { plainList } from '../../../platform/resource/read/list-answer';
import type { ListParams } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  PageParameters,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { listSchema } from '../../../platform/routes/schema-names';
import { permissionEntries, PermissionEntry } from './permission-entry';
import { CreateRole, UpdateRole } from './role.dto';
import { Role } from './role.entity';
import { roleResource } from './role.resource';
import { RolesService } from './roles.service';

@ApiTags('Roles')
@Controller('roles')
export class RolesController {
  constructor(
    @InjectStore(Role) private readonly records: Store<Role>,
    private readonly roles: RolesService,
  ) {}

  @ListRoute(roleResource, {
    description: 'The custom ones; what the built-in ones may is in `GET /roles/permissions`.',
  })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Get('permissions')
  @ApiOperation({
    summary: 'List every permission',
    description: 'What roles can allow, and which of the built-in roles do.',
  })
  @PageParameters()
  @ApiExtraModels(PermissionEntry)
  @ApiOkResponse({
    description: 'A page of the permissions.',
    schema: listSchema({ $ref: getSchemaPath(PermissionEntry) }),
  })
  listPermissions(@ListQuery() params: ListParams): ListResult {
    return plainList(params, permissionEntries());
  }

  @CreateRoute(roleResource)
  create(@Body() body: CreateRole): Promise<SingleResult> {
    return this.roles.create(body);
  }

  @ReadRoute(roleResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(roleResource, { description: 'Effective for its users within a second.' })
  update(@Id() id: number, @Body() body: UpdateRole, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.roles.update(id, body, expected);
  }

  @DeleteRoute(roleResource, { description: 'Refused while users have it.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.roles.remove(id, expected);
  }
}
