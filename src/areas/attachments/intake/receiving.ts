import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentWorkspaceId } from '../../../platform/context/current';
import { FileIntake } from './file-intake';
import type { Receipt } from './receipt';
import { UnwantedFiles } from './unwanted-files';
import { receive } from './upload-reader';

const receipts = new WeakMap<FastifyRequest, Receipt>();

/**
 * Takes the file of a request into the store, as the last of its guards: ahead of any unit of work, which a file of minutes would hold
 * open, and ahead of the claim of an Idempotency-Key, which knows the whole body then. A file that the handler does not keep (the key
 * was used before, the workspace is full) goes when the connection is over.
 */
@Injectable()
export class Receiving implements CanActivate {
  constructor(
    private readonly intake: FileIntake,
    private readonly unwanted: UnwantedFiles,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!request.upload) throw new Error('A route that receives files has @Upload.');
    const workspaceId = currentWorkspaceId();
    const received = await receive(request, request.upload, this.intake);
    const receipt: Receipt = { ...received, isKept: false, isGone: false };
    receipts.set(request, receipt);
    const over = (): void => {
      if (!receipt.isKept) void this.unwanted.giveBack(receipt, workspaceId);
    };
    const { raw } = http.getResponse<FastifyReply>();
    if (raw.destroyed) over();
    else raw.once('close', over);
    return true;
  }
}

/** The file of the request: `@ReceivedFile() receipt: Receipt`. */
export const ReceivedFile = createParamDecorator((_data: unknown, context: ExecutionContext): Receipt | undefined =>
  receipts.get(context.switchToHttp().getRequest<FastifyRequest>()),
);
