import { join, resolve } from 'node:path';
import { ConfigError, oneOf, text, wholeNumber } from './config-values';

const MEGABYTE = 1_048_576;

/** An S3-compatible store. Without keys the official client looks where it usually does (profile, role of the machine). */
export interface S3Config {
  /** Null = Amazon's own, by the region. */
  readonly endpoint: string | null;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** `endpoint/bucket/key` in place of `bucket.endpoint/key`. */
  readonly pathStyle: boolean;
  /** Downloads are led to the store by a signed address, instead of passing through this service. */
  readonly redirects: boolean;
}

/** Where a virus scanner listens (clamd), and what is done with files while it is away. */
export interface ScannerConfig {
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly whenAway: 'refuse' | 'accept';
}

/** Files of records: where they are kept, and how many. */
export interface FileConfig {
  /** Absolute path of the folder that holds them, where no other store is configured. */
  readonly folder: string;
  /** Null = the folder. */
  readonly s3: S3Config | null;
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** Bytes of all files of a workspace, unless its plan says otherwise; 0 = unlimited. */
  readonly quotaBytes: number;
  /** Bytes of what migrations of a workspace were sent, as long as it is kept; 0 = unlimited. */
  readonly inboxBytes: number;
  /** Null = nobody looks into files. */
  readonly scanner: ScannerConfig | null;
}

/** @throws ConfigError naming the variable and the accepted values */
export function fileConfig(env: NodeJS.ProcessEnv, dataDir: string): FileConfig {
  const store = oneOf(env, 'ATTACHMENT_STORE', ['folder', 's3'], 'folder');
  return Object.freeze({
    folder: resolve(dataDir, text(env, 'ATTACHMENT_FOLDER') ?? join(dataDir, 'attachments')),
    s3: store === 's3' ? s3Config(env) : null,
    maxBytes: wholeNumber(env, 'ATTACHMENT_MAX_MB', 25, 1, 2_047) * MEGABYTE,
    quotaBytes: wholeNumber(env, 'ATTACHMENT_QUOTA_MB', 10_240, 0, 100_000_000) * MEGABYTE,
    inboxBytes: wholeNumber(env, 'MIGRATION_QUOTA_MB', 20_480, 0, 100_000_000) * MEGABYTE,
    scanner: scannerConfig(env),
  });
}

function s3Config(env: NodeJS.ProcessEnv): S3Config {
  const bucket = text(env, 'S3_BUCKET');
  if (bucket === null) throw new ConfigError('ATTACHMENT_STORE=s3 needs S3_BUCKET, the name of a bucket that exists.');
  const accessKeyId = text(env, 'S3_ACCESS_KEY_ID');
  const secretAccessKey = text(env, 'S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === null) !== (secretAccessKey === null))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither.');
  return {
    endpoint: endpoint(env),
    bucket,
    region: text(env, 'S3_REGION') ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    pathStyle: oneOf(env, 'S3_PATH_STYLE', ['true', 'false'], 'false') === 'true',
    redirects: oneOf(env, 'S3_REDIRECT', ['true', 'false'], 'false') === 'true',
  };
}

function endpoint(env: NodeJS.ProcessEnv): string | null {
  const value = text(env, 'S3_ENDPOINT');
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new ConfigError('S3_ENDPOINT must look like https://s3.example.com; its keys have variables of their own.');
  return value.replace(/\/+$/, '');
}

function scannerConfig(env: NodeJS.ProcessEnv): ScannerConfig | null {
  const value = text(env, 'CLAMD_URL');
  const whenAway = oneOf(env, 'CLAMD_WHEN_AWAY', ['refuse', 'accept'], 'refuse');
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol === 'unix:' && url.pathname.length > 1) return { address: { path: url.pathname }, whenAway };
  if (url?.protocol !== 'tcp:' || url.hostname === '')
    throw new ConfigError('CLAMD_URL must look like tcp://127.0.0.1:3310 or unix:/run/clamav/clamd.ctl.');
  return {
    address: { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 3310 : Number(url.port) },
    whenAway,
  };
}
