declare module 's3rver' {
  import type { AddressInfo } from 'node:net';

  class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string }[];
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }

  export = S3rver;
}
