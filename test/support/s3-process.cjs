'use strict';

/** A store that speaks S3, in a process of its own: its lists that go on need a cipher that OpenSSL 3 has only on demand. */

const S3rver = require('s3rver');

const [, , directory, bucket] = process.argv;
const options = { port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: bucket }] };
const server = new S3rver(options);
server.middleware.unshift((context, next) => {
  process.send({ asked: `${context.method} ${context.url}` });
  return next();
});
server.run().then(({ port }) => process.send({ port }));
process.on('disconnect', () => process.exit(0));
