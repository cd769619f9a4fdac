import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../platform/auth/access-cache';
import { currentWorkspaceId } from '../../platform/context/current';
import { demand } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import type { SingleResult } from '../../platform/http/results';
import { requireCurrency } from '../../platform/money/currency';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { differing } from '../../platform/resource/stored-values';
import type { UpdateWorkspace } from './workspace.dto';
import { Workspace } from './workspace.entity';
import { changesRetention, withSettings } from './workspace-settings';

/** The workspace that the caller belongs to. */
@Injectable()
export class WorkspaceService {
  constructor(
    @InjectStore(Workspace) private readonly workspaces: Store<Workspace>,
    private readonly access: AccessCache,
    private readonly database: Database,
  ) {}

  read(): Promise<SingleResult> {
    return this.workspaces.read(currentWorkspaceId());
  }

  /**
   * Changes what the body names. Requests know settings from the access record of their token: this node forgets those it has as soon
   * as the change is committed, others when PostgreSQL tells them, a moment later.
   */
  update(body: UpdateWorkspace, expected: ExpectedVersions): Promise<SingleResult> {
    if (body.currency !== undefined) requireCurrency('currency', body.currency);
    return this.workspaces.update(currentWorkspaceId(), body, expected, (before, values) => {
      const changed = differing(this.workspaces.resource, before, merged(before, values));
      if (changed.settings && changesRetention(before.settings, changed.settings)) demand('workspace.retention');
      if (Object.keys(changed).length > 0) this.database.afterCommit(() => this.access.clear());
      return { values: changed };
    });
  }
}

function merged({ settings }: Row<Workspace>, values: Values<Workspace>): Values<Workspace> {
  if (values.settings === undefined) return values;
  return { ...values, settings: withSettings(settings, values.settings) };
}
