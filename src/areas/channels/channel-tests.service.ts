import { Injectable } from '@nestjs/common';
import { fail } from '../../platform/errors/api-error';
import { Outbound } from '../../platform/outbound/outbound';
import type { TestResult } from '../../platform/outbound/test-result';
import { ChannelsService } from './channels.service';

/** Tries on request whether the other side of a channel is there: once, at once. */
@Injectable()
export class ChannelTests {
  constructor(
    private readonly channels: ChannelsService,
    private readonly outbound: Outbound,
  ) {}

  async run(id: number): Promise<TestResult> {
    const { adapter, settings } = (await this.channels.open(id)) ?? fail('not_found', `No channel ${id}.`);
    const probe = adapter.probe?.(settings) ?? null;
    if (probe === null) return { status: 'success', response_status: null, duration_ms: 0, error: null };
    const { status, durationMs, error } = await this.outbound.send(probe);
    const arrived = error === null && status !== null && status >= 200 && status < 300;
    const why = error ?? { code: `http_${status ?? 0}`, message: `The server answered ${status ?? 'nothing'}.` };
    return {
      status: arrived ? 'success' : 'failed',
      response_status: status,
      duration_ms: durationMs,
      error: arrived ? null : { code: why.code, message: why.message },
    };
  }
}
