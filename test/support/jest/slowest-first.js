'use strict';

const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take longest, most of it waiting: begun last, they would run on when nothing else is left to do. */
const SLOWEST = [
  'hook-chaos',
  'first-start',
  'pages',
  'typed-clients',
  'pool-share',
  'ticket-locks',
  'every-write',
  'openapi-demo',
  'cluster',
  'integrations-mail-in',
  'queue-transport',
  'interrupted-writes',
  'hostile',
  'hostile-requests',
  'boundary-times',
  'isolation',
  'kb-long-articles',
  'tickets-bits',
  'search',
  'embedded',
  'queue-return',
  'integrations-mail-filter',
  'mail',
  'job-claims',
];

/** Begins with the slowest files, also where Jest has not yet measured any; the others follow in its own order. */
module.exports = class SlowestFirst extends Sequencer {
  async sort(tests) {
    const sorted = [...(await super.sort(tests))];
    const rank = ({ path }) => {
      const index = SLOWEST.findIndex((name) => basename(path) === `${name}.spec.ts`);
      return index < 0 ? SLOWEST.length : index;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
};
