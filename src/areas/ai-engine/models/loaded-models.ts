// Own reads: which models are ready is asked with every prediction, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import type { Classifier } from '../model/classifier';
import { fromFile } from '../model/model-file';
import type { LearntTask } from '../tasks';
import { readParts } from './model-parts';

/** What models take in memory, on each node; the ones not used lately make room. */
const MOST_BYTES = 128 << 20;
/** Workspaces of which it is kept which models were ready when that was last asked. */
const MOST_WORKSPACES = 10_000;

/** A model that predictions are made by. */
export interface ReadyModel {
  id: number;
  task: LearntTask;
  method: string;
  bytes: number;
}

/** Models as they are asked, kept in memory by what they take. */
@Injectable()
export class LoadedModels {
  private readonly loaded = new LRUCache<string, Classifier>({ maxSize: MOST_BYTES });
  private readonly last = new LRUCache<number, readonly ReadyModel[]>({ max: MOST_WORKSPACES });
  private readonly loading = new Map<string, Promise<Classifier | null>>();

  constructor(private readonly database: Database) {}

  /** The models of the current workspace that are ready. */
  async ready(): Promise<ReadyModel[]> {
    const text = `SELECT id, task, method, bytes FROM ai_models WHERE workspace_id = $1 AND status = 'ready' ORDER BY id`;
    const ready = await this.database.read({ ...sql<ReadyModel>(text, [currentWorkspaceId()]), quick: true });
    this.last.set(currentWorkspaceId(), ready);
    return ready;
  }

  /** Those that were ready when it was last asked, as far as they are in memory: what is going to be asked of them can be asked ahead. */
  lately(): { model: ReadyModel; classifier: Classifier }[] {
    const workspaceId = currentWorkspaceId();
    return (this.last.get(workspaceId) ?? []).flatMap((model) => {
      const classifier = this.loaded.get(`${workspaceId}:${model.id}`);
      return classifier ? [{ model, classifier }] : [];
    });
  }

  /** A model itself; null when it is not there any more, or of another version of the service. */
  async classifier({ id, bytes }: ReadyModel): Promise<Classifier | null> {
    const key = `${currentWorkspaceId()}:${id}`;
    const known = this.loaded.get(key);
    if (known) return known;
    let loading = this.loading.get(key);
    if (!loading) {
      loading = this.load(key, id, bytes).finally(() => this.loading.delete(key));
      this.loading.set(key, loading);
    }
    return loading;
  }

  private async load(key: string, id: number, bytes: number): Promise<Classifier | null> {
    const classifier = fromFile(await readParts(this.database, id));
    if (classifier) this.loaded.set(key, classifier, { size: Math.max(1, bytes) });
    return classifier;
  }
}
