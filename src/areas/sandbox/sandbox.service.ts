import { Injectable, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { fail } from '../../platform/errors/api-error';
import { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ReadClock, SandboxClock } from '../../platform/sandbox/sandbox-clock';
import { SandboxReset } from '../../platform/sandbox/sandbox-reset';
import { advanced, momentOf } from './clock-target';
import type { MoveClock } from './sandbox.dto';

/** People stay, and what they belong to; what is to be taken out of the store of files still is. */
const KEPT = ['users', 'teams', 'roles', 'attachment_waste'];

@Injectable()
export class SandboxService implements OnModuleInit {
  constructor(
    private readonly sandbox: SandboxClock,
    private readonly resets: SandboxReset,
  ) {}

  onModuleInit(): void {
    this.resets.keep(KEPT);
  }

  /** 202: a job does it. */
  async reset(): Promise<SingleResult> {
    return answerOf(await this.resets.start(), 202);
  }

  async clock(): Promise<SingleResult> {
    return answerOf(await this.sandbox.read());
  }

  /** Exactly one of `advance` and `set`. */
  async move({ advance, set }: MoveClock, expected: ExpectedVersions): Promise<SingleResult> {
    requireOne(advance, set);
    if (set !== undefined) return answerOf(await this.sandbox.move('set', () => momentOf(set), expected));
    return answerOf(await this.sandbox.move('advance', (now) => advanced(now, advance ?? 0), expected));
  }
}

/** The time goes on while the version stays, so the tag tells one answer from the next. */
function answerOf({ shown, version }: ReadClock, status = 200): SingleResult {
  const json = JSON.stringify(shown);
  const digest = createHash('sha1').update(json).digest('base64url').slice(0, 10);
  return new SingleResult(json, version === 0 ? null : `"${version}-${digest}"`, status);
}

function requireOne(advance: unknown, set: unknown): void {
  const isNone = advance === undefined && set === undefined;
  if (!isNone && (advance === undefined || set === undefined)) return;
  const [field, code] = isNone ? ['advance', 'required'] : ['set', 'conflict'];
  const message = `${field}: give exactly one of advance and set`;
  fail('validation_error', `${message}.`, { missing: isNone ? [field] : [], details: [{ field, code, message }] });
}
