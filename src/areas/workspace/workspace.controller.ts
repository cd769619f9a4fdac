import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Throttle } from '@nestjs/throttler';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { IfMatch, ReadRoute, UpdateRoute } from '../../platform/routes/routes';
import { UpdateWorkspace } from './workspace.dto';
import { workspaceResource } from './workspace.resource';
import { WorkspaceService } from './workspace.service';

/** A change lets every node look up every token anew: none may be made all the time. */
const CHANGES_A_MINUTE = 60;

@ApiTags('Workspace')
@Controller('workspace')
export class WorkspaceController {
  constructor(private readonly workspace: WorkspaceService) {}

  @ReadRoute(workspaceResource, {
    path: '',
    summary: 'Get the workspace',
    description: 'Name, zone, language, currency and rules of the workspace that the token belongs to.',
  })
  read(): Promise<SingleResult> {
    return this.workspace.read();
  }

  @UpdateRoute(workspaceResource, {
    path: '',
    summary: 'Change the workspace',
    description:
      'Only what the body names changes, of `settings` too. Holds for what begins afterwards, on every node.',
  })
  @Throttle({ default: { limit: CHANGES_A_MINUTE, ttl: 60_000 } })
  update(@Body() body: UpdateWorkspace, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.workspace.update(body, expected);
  }
}
