'use strict';

const { existsSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const root = join(__dirname, '..', '..', '..');
const OFFERED =
  'afterAll, afterEach, beforeAll, beforeEach, describe, expect, fdescribe, fit, it, jest, test, xdescribe, xit, xtest';

/** A transformer for Jest: instead of a spec in TypeScript runs what `npm test` compiled it into. */
module.exports = {
  process(_source, file) {
    const folder = pluginFolder(dirname(file));
    const compiled = join(folder ?? root, 'dist', relative(folder ?? root, file).replace(/\.ts$/, '.js'));
    return { code: `loadSpec(${JSON.stringify(compiled)}, { ${OFFERED} }, ${JSON.stringify(folder)});` };
  },
};

/** The folder of the plug-in that a spec belongs to; null for those of the service. */
function pluginFolder(folder) {
  if (existsSync(join(folder, 'plugin.ts'))) return folder;
  return folder === root || folder === dirname(folder) ? null : pluginFolder(dirname(folder));
}
