import { Injectable } from '@nestjs/common';
import { invalid } from '../../platform/errors/api-error';
import { Outbound } from '../../platform/outbound/outbound';
import { HOOK_PROFILE, type OutboundProfile } from '../../platform/outbound/profile';
import { MAX_CALENDAR } from './holiday-import.dto';

const CALENDAR_PROFILE: OutboundProfile = {
  ...HOOK_PROFILE,
  maxBodyBytes: MAX_CALENDAR,
  overflow: 'refuse',
  keptBodyBytes: MAX_CALENDAR,
};
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly (number | null)[] = [301, 302, 303, 307, 308];

/** Fetches calendars from addresses that users name. */
@Injectable()
export class CalendarSource {
  constructor(private readonly outbound: Outbound) {}

  /**
   * The text at an address; every redirect is vetted like the address itself.
   *
   * @param url `https:`, or `webcal:`, which is what calendar programs call the same
   * @throws ApiError 422 of `url` for whatever goes wrong
   */
  async fetch(url: string): Promise<string> {
    let target = url.trim().replace(/^webcals?:\/\//i, 'https://');
    if (!/^https?:\/\//i.test(target) || !URL.canParse(target))
      invalid('url', 'format', '"url" must be a complete https:// or webcal:// address.');
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const headers = { accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1' };
      const answer = await this.outbound.send({ method: 'GET', url: target, headers }, CALENDAR_PROFILE);
      if (answer.error) invalid('url', answer.error.code, `"url" could not be fetched: ${answer.error.message}`);
      const next = REDIRECTS.includes(answer.status) ? resolved(answer.headers.location, target) : null;
      if (next === null) return bodyOf(answer);
      target = next;
    }
    return invalid('url', 'redirects', `"url" redirects more than ${MAX_REDIRECTS} times.`);
  }
}

function bodyOf({ status, body }: { status: number | null; body: string | null }): string {
  if (status === null || status < 200 || status > 299 || body === null)
    invalid('url', 'status', `"url" could not be fetched: the server answered ${String(status)}.`);
  return body;
}

function resolved(location: string | undefined, from: string): string | null {
  return location !== undefined && URL.canParse(location, from) ? new URL(location, from).href : null;
}
