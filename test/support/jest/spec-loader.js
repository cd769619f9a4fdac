'use strict';

const { join, relative } = require('node:path');

const root = join(__dirname, '..', '..', '..');
const OFFERED =
  'afterAll, afterEach, beforeAll, beforeEach, describe, expect, fdescribe, fit, it, jest, test, xdescribe, xit, xtest';

/** A transformer for Jest: instead of a spec in TypeScript runs what `npm test` compiled it into. */
module.exports = {
  process(_source, file) {
    const compiled = join(root, 'dist', relative(root, file).replace(/\.ts$/, '.js'));
    return { code: `loadSpec(${JSON.stringify(compiled)}, { ${OFFERED} });` };
  },
};
