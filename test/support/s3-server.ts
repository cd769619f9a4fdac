import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { S3Config } from '../../src/file-config';

/** A store that speaks S3. */
export interface S3Server {
  config: S3Config;
  /** What it was asked, in order: `PUT /bucket/key?…`. */
  asked: readonly string[];
  close(): Promise<void>;
}

type Told = { port: number } | { asked: string };

/**
 * Starts a store with one bucket. It takes no notice of uploads that are given up: it answers, and keeps their parts.
 *
 * @param directory where it keeps what it is given
 */
export async function startS3(directory: string): Promise<S3Server> {
  const bucket = 'attachments';
  const child = fork(join(__dirname, 's3-process.cjs'), [directory, bucket], {
    execArgv: ['--openssl-legacy-provider'],
  });
  const asked: string[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (told: Told) => {
      if ('port' in told) resolve(told.port);
      else asked.push(told.asked);
    });
    child.once('exit', () => reject(new Error('The store ended before it began.')));
  });
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      pathStyle: true,
      redirects: false,
    },
    asked,
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
