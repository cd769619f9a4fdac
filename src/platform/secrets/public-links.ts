import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { fail } from '../errors/api-error';
import { PAGES } from '../http/public-page';
import { ServiceAddress } from '../http/service-address';
import { SecretBox } from './secret-box';

/** What a link leads to. */
export interface LinkTarget {
  workspaceId: number;
  id: number;
  /** The link is dead after this moment; null = never. Whole seconds. */
  expiresAt?: Date | null;
}

const MAC_BYTES = 18;
const TOKEN = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,11})-([\w-]{24})$/;

/**
 * Links for people who have no token (a customer, an invited guest). The link says which record it is about and when it
 * ends, signed with a key of this installation; it opens nothing else. A link of one page is worthless on another.
 */
@Injectable()
export class PublicLinks {
  constructor(
    private readonly box: SecretBox,
    private readonly address: ServiceAddress,
  ) {}

  /** Absolute address of `page` (e.g. `quotes`) for a record: `{base}/p/quotes/{token}`. */
  url(page: string, target: LinkTarget): string {
    return `${this.address.base()}${PAGES}/${page}/${this.token(page, target)}`;
  }

  /** The signed part of the address. */
  token(page: string, { workspaceId, id, expiresAt }: LinkTarget): string {
    const seconds = expiresAt ? Math.floor(expiresAt.getTime() / 1000) : 0;
    const text = [workspaceId, id, seconds].map((number) => number.toString(36)).join('-');
    return `${text}-${this.signature(page, text)}`;
  }

  /** What a token leads to. @throws ApiError 404 when it was altered, belongs to another page, or has ended */
  open(page: string, token: string): LinkTarget {
    const [, workspace = '', id = '', expires = '', given = ''] = TOKEN.exec(token) ?? [];
    const expected = this.signature(page, `${workspace}-${id}-${expires}`);
    const genuine = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
    if (!genuine) fail('not_found', 'This link is not complete; please open it exactly as it was sent.');
    const seconds = parseInt(expires, 36);
    const expiresAt = seconds > 0 ? new Date(seconds * 1000) : null;
    const target = { workspaceId: parseInt(workspace, 36), id: parseInt(id, 36), expiresAt };
    // The clock of a workspace may be ahead of this one, never behind it.
    this.refuseEnded(target, Date.now());
    return target;
  }

  /** Refuses (404) a link that has ended. @param nowMs by the clock of its workspace, ms since 1970 */
  refuseEnded({ expiresAt }: LinkTarget, nowMs: number): void {
    if (expiresAt && expiresAt.getTime() < nowMs) fail('not_found', 'This link has ended.');
  }

  private signature(page: string, text: string): string {
    return this.box.mac('public links', `${page} ${text}`).subarray(0, MAC_BYTES).toString('base64url');
  }
}
