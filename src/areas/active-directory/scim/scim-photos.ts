import { Inject, Injectable } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { currentWorkspaceId } from '../../../platform/context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Database } from '../../../platform/database/database';
import { Outbound } from '../../../platform/outbound/outbound';
import { OutboundFailure } from '../../../platform/outbound/outbound-result';
import { SERVICE_PROFILE } from '../../../platform/outbound/profile';
import { MAX_PHOTO, type PhotoReader, PhotoTooLarge, PhotoUnreadable } from '../photos/photo-reader';
import { photoIn } from './scim-objects';

/** One photo holds up those behind it. */
const PROFILE = { ...SERVICE_PROFILE, timeoutMs: 20_000, silenceMs: 10_000, maxBodyBytes: MAX_PHOTO };
const GONE: readonly number[] = [404, 410];
const DATA = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/\s]+={0,2})\s*$/i;

/** Photos as clients of SCIM tell them: an address that is fetched, or the picture itself (`data:`). */
@Injectable()
export class ScimPhotos {
  constructor(
    private readonly database: Database,
    private readonly outbound: Outbound,
    @Inject(RUNTIME_CONFIG) private readonly runtime: Pick<RuntimeConfig, 'directoryAllowCidrs'>,
  ) {}

  reader(connectionId: number): PhotoReader {
    return {
      of: async ({ guid }) => {
        const told = photoIn(await this.told(connectionId, guid));
        if (told === null) return null;
        const [, packed] = DATA.exec(told) ?? [];
        return packed === undefined ? this.fetched(told) : Buffer.from(packed, 'base64');
      },
      end: () => Promise.resolve(),
    };
  }

  private async told(connectionId: number, guid: string): Promise<unknown> {
    const [row] = await this.database.transaction(() =>
      this.database.query<{ photos: unknown }>(
        `SELECT content -> 'photos' AS photos FROM scim_resources WHERE workspace_id = $1 AND connection_id = $2 AND id = $3 AND NOT is_deleted`,
        [currentWorkspaceId(), connectionId, guid],
      ),
    );
    return row?.photos;
  }

  private async fetched(url: string): Promise<Buffer | null> {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new PhotoUnreadable('no_picture');
    const profile = { ...PROFILE, allowed: this.runtime.directoryAllowCidrs };
    const { status, body } = await this.outbound.stream(
      { method: 'GET', url, headers: { accept: 'image/*' } },
      profile,
    );
    try {
      if (status === 200 && body) return await buffer(body);
    } catch (error) {
      if (error instanceof OutboundFailure && error.error.code === 'too_large') throw new PhotoTooLarge();
      throw new PhotoUnreadable('unreachable');
    }
    body?.destroy();
    if (status !== null && GONE.includes(status)) return null;
    throw new PhotoUnreadable('unreachable');
  }
}
