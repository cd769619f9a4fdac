import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Action } from '../../platform/area/rules';
import { Database } from '../../platform/database/database';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { NOTHING_TO_DO, PeriodicJobs } from '../../platform/schedule/periodic-jobs';
import { SecretBox } from '../../platform/secrets/secret-box';
import { isRecord } from '../../platform/text/json';
import { actionsIn, type StoredActions } from '../sla/ticket-actions';
import { Automation } from './automation.entity';
import { withSealedHeaders } from './sealed-headers';

const EVERY_MS = 600_000;
const BATCH = 500;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/** Seals the headers of calls that were kept before headers were: SQL has no key, so no migration does. */
@Injectable()
export class PlainHeaders implements OnModuleInit {
  private readonly logger = new Logger(PlainHeaders.name);

  constructor(
    @InjectStore(Automation) private readonly automations: Store<Automation>,
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
    private readonly secrets: SecretBox,
  ) {}

  onModuleInit(): void {
    this.keepSealed(actionsIn(this.automations));
  }

  /** A job of their own for each place where actions are kept. */
  keepSealed(stored: StoredActions): void {
    this.jobs.register(`seal-headers-${stored.table}`, EVERY_MS, () => this.sealAll(stored));
  }

  /** One batch; inside `Database.system()`. What cannot be sealed keeps no other waiting. */
  private async sealAll(stored: StoredActions): Promise<typeof NOTHING_TO_DO | null> {
    const { table, column, path } = stored;
    const plain = await this.database.query<{ workspace_id: number; id: number }>(
      `SELECT workspace_id, id FROM ${table}
       WHERE ${column} @? '${path} ? (@.type == "webhook" && exists(@.headers.*) && !exists(@.headers_sealed))'
       ORDER BY workspace_id, id LIMIT ${BATCH}`,
    );
    if (plain.length === 0) return NOTHING_TO_DO;
    for (const { workspace_id, id } of plain) {
      const sealing = (): Promise<void> => stored.seal(id, (actions) => actions.map((action) => this.sealed(action)));
      try {
        await this.database.inWorkspace(workspace_id, ACTOR, () => this.database.transaction(sealing));
      } catch (error) {
        this.logger.warn(`Headers in ${table} ${id} could not be sealed: ${String(error)}`);
      }
    }
    return null;
  }

  private sealed(action: Action): Action {
    const isPlain = action.type === 'webhook' && isRecord(action.headers) && action.headers_sealed === undefined;
    return isPlain ? withSealedHeaders('actions', action, this.secrets, []) : action;
  }
}
