import { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Readable } from 'node:stream';
import type { S3Config } from '../../file-config';
import { type ByteRange, FileGone, FileStore, type ServedAs, type StoredFile } from './file-store';
import { isKey, requireKey } from './keys';

/** Bytes of one part, and parts under way at once: what a file that arrives has in memory. */
const PART_BYTES = 5 * 1_048_576;
const PARTS_AT_ONCE = 2;
const ADDRESS_SECONDS = 60;
/** Most that one request deletes. */
const DELETED_AT_ONCE = 1_000;
const CONNECT_MS = 5_000;
const SILENCE_MS = 30_000;

/** Files in a bucket of an S3-compatible store. What arrives is uploaded in parts, which become a file when all of them are there. */
export class S3Store extends FileStore {
  private readonly client: S3Client;

  private readonly prefix: string;

  /** @param place folder of the bucket; the whole of it unless given */
  constructor(
    private readonly config: S3Config,
    place = '',
  ) {
    super();
    this.prefix = place === '' ? '' : `${place}/`;
    const { accessKeyId, secretAccessKey, endpoint, region, pathStyle } = config;
    this.client = new S3Client({
      region,
      forcePathStyle: pathStyle,
      ...(endpoint === null ? {} : { endpoint }),
      ...(accessKeyId === null || secretAccessKey === null ? {} : { credentials: { accessKeyId, secretAccessKey } }),
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
      // Checksums that only Amazon's own store knows; what arrives is compared by its SHA-256 where that matters.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async put(key: string, source: Readable, type: string): Promise<void> {
    const upload = new Upload({
      client: this.client,
      params: { ...this.named(key), Body: source, ContentType: type },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: false,
    });
    try {
      await upload.done();
    } catch (error) {
      // Why the source failed says more than how the upload ended of it.
      const cause = source.errored ?? error;
      source.destroy();
      throw cause;
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range ? `bytes=${range.start}-${range.end}` : undefined;
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.named(key), Range }));
      if (!(Body instanceof Readable)) throw new Error('The store answered no stream.');
      return Body;
    } catch (error) {
      throw error instanceof NoSuchKey ? new FileGone('The file is not there.') : error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += DELETED_AT_ONCE) {
      const Objects = keys.slice(from, from + DELETED_AT_ONCE).map((key) => ({ Key: this.named(key).Key }));
      const Delete = { Objects, Quiet: true };
      const { Errors = [] } = await this.client.send(new DeleteObjectsCommand({ Bucket: this.config.bucket, Delete }));
      const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
      if (first)
        throw new Error(
          `The store could not delete ${first.Key ?? 'a file'}: ${first.Code ?? ''} ${first.Message ?? ''}`,
        );
    }
  }

  async list(after: string | null, limit: number): Promise<StoredFile[]> {
    const { prefix } = this;
    const from = after === null ? {} : { StartAfter: `${prefix}${after}` };
    const { Contents = [] } = await this.client.send(
      new ListObjectsV2Command({ Bucket: this.config.bucket, MaxKeys: limit, Prefix: prefix, ...from }),
    );
    // Keys begin with digits, places with letters: what belongs to another place is behind all of them.
    return Contents.map(({ Key = '', LastModified = new Date() }) => ({
      key: Key.slice(prefix.length),
      at: LastModified,
    })).filter(({ key }) => isKey(key));
  }

  async address(key: string, { type, disposition }: ServedAs): Promise<string | null> {
    if (!this.config.redirects) return null;
    const command = new GetObjectCommand({
      ...this.named(key),
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
    });
    return getSignedUrl(this.client, command, { expiresIn: ADDRESS_SECONDS });
  }

  private named(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.config.bucket, Key: `${this.prefix}${requireKey(key)}` };
  }
}
