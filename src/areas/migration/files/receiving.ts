import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type {} from '../../../platform/http/fastify-request';
import { parseId } from '../../../platform/http/id';
import { nameInHeader } from '../../../platform/http/upload/name-in-header';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Takeovers } from '../../../platform/resource/takeover';
import { MigrationJob } from '../jobs/migration-job.entity';
import { requireState } from '../jobs/migration-states';
import { serviceOf } from '../services/services';
import { MigrationFiles, type StoredFile } from './migration-files';

/** What a handler does with its files decides whether they stay. */
export interface FileReceipt {
  files: StoredFile[];
  /** Set once rows tell of them. */
  isKept: boolean;
  /** Set when they were given back: no row may tell of them any more. */
  isGone: boolean;
}

const ACTOR = { type: 'system', id: null, name: 'system' } as const;

const receipts = new WeakMap<FastifyRequest, FileReceipt>();

/**
 * Takes the file of a request into the store, as the last of its guards: ahead of any unit of work, which a file of minutes would hold
 * open. What the handler does not keep goes when the connection is over.
 */
@Injectable()
export class MigrationReceiving implements CanActivate {
  constructor(
    @InjectStore(MigrationJob) private readonly jobs: Store<MigrationJob>,
    private readonly database: Database,
    private readonly files: MigrationFiles,
    private readonly takeovers: Takeovers,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest<{ Params: { id: string }; Querystring: { entity?: string } }>>();
    if (!request.upload) throw new Error('A route that receives files has @Upload.');
    const id = parseId(request.params.id);
    const job = (await this.database.transaction(() => this.jobs.find(id))) ?? this.jobs.missing(id);
    requireState('send', job.status);
    if (job.source === 'api') invalid('source', 'invalid', 'Records of this job are pushed; it has no files.');
    if (serviceOf(job.source))
      invalid('source', 'invalid', 'Records of this job are read from a service; it has no files.');
    const known = this.takeovers.all().map(({ resource }) => resource.name);
    const { entity = 'tickets' } = request.query;
    if (!known.includes(entity))
      invalid('entity', 'enum', `"entity" must be one of ${known.join(', ')}.`, { allowed: known });
    const receipt: FileReceipt = { files: [], isKept: false, isGone: false };
    const workspaceId = currentWorkspaceId();
    receipts.set(request, receipt);
    const over = (): void => {
      if (!receipt.isKept) void this.giveBack(receipt, workspaceId);
    };
    const { raw } = http.getResponse<FastifyReply>();
    raw.once('close', over);
    for await (const part of request.upload) {
      if (part.kind === 'field') invalid(part.name, 'unknown_field', `The form has no field "${part.name}".`);
      const name = part.filename ?? nameInHeader(request);
      receipt.files = await this.files.take(job.source, entity, name?.slice(0, 255) ?? null, part.stream);
    }
    if (receipt.files.length === 0) invalid('file', 'required', 'There is no file.');
    if (raw.destroyed) over();
    return true;
  }

  /** The sender may have hung up while rows are being written: who writes them holds the jobs. What cannot be told, the upkeep finds. */
  private async giveBack(receipt: FileReceipt, workspaceId: number): Promise<void> {
    const keys = receipt.files.map(({ storage_key }) => storage_key);
    const isGone = this.database.inWorkspace(workspaceId, ACTOR, () =>
      this.jobs.holding(async () => (receipt.isGone = !(await this.files.areKept(keys)))),
    );
    if (await isGone.catch(() => false)) await this.files.discard(keys);
  }
}

/** The files of the request: `@ReceivedFiles() receipt: FileReceipt`. */
export const ReceivedFiles = createParamDecorator(
  (_data: unknown, context: ExecutionContext): FileReceipt | undefined =>
    receipts.get(context.switchToHttp().getRequest<FastifyRequest>()),
);
