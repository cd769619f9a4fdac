'use strict';

const { createHash } = require('node:crypto');
const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take longest, most of it waiting: begun last, they would run on when nothing else is left to do. */
const SLOWEST = [
  'hook-chaos',
  'first-start',
  'pages',
  'tables-standstill',
  'every-write',
  'queue-transport',
  'interrupted-writes',
  'cluster',
  'integrations-mail-in',
  'queue-return',
  'typed-clients',
  'pool-share',
  'migration-sources',
  'tickets-lists',
  'openapi-demo',
  'migrations',
  'example-day',
  'isolation',
  'job-scheduler',
  'role-walk',
  'quote-document',
  'hostile',
  'boundary-times',
  'ticket-locks',
  'kb-search',
  'ai-predictions',
  'ticket-sharing',
  'ai-engine',
  'ticket-handovers',
  'scim-lists',
  'meta',
  'custom-field-lists',
  'events',
  'tickets-intake',
  'crm-metrics',
  'stats',
  'search',
];

/**
 * Begins with the slowest files, also where Jest has not yet measured any; the others follow in its own order. With `TEST_ORDER`
 * in an order of its own for each text of that: what holds in one order alone shows in another.
 */
module.exports = class SlowestFirst extends Sequencer {
  async sort(tests) {
    const sorted = [...(await super.sort(tests))];
    const rank = process.env.TEST_ORDER === undefined ? slowness : shuffled(process.env.TEST_ORDER);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
};

function slowness({ path }) {
  const index = SLOWEST.findIndex((name) => basename(path) === `${name}.spec.ts`);
  return index < 0 ? SLOWEST.length : index;
}

function shuffled(seed) {
  return ({ path }) =>
    createHash('sha256')
      .update(`${seed} ${basename(path)}`)
      .digest()
      .readUIntBE(0, 6);
}
