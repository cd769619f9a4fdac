import S3rver from 's3rver';
import type { S3Config } from '../../src/file-config';

/** A store that speaks S3. */
export interface S3Server {
  config: S3Config;
  close(): Promise<void>;
}

/**
 * Starts a store with one bucket. It knows neither lists that go on (OpenSSL 3 lacks its cipher) nor uploads that are given up.
 *
 * @param directory where it keeps what it is given
 */
export async function startS3(directory: string): Promise<S3Server> {
  const bucket = 'attachments';
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
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
    close: () => server.close(),
  };
}
