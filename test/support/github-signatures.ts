import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../../src/config';

// Its exports name only what `import` takes, which compiled tests do not say.
const file = join(projectRoot, 'node_modules', '@octokit', 'webhooks-methods', 'dist-node', 'index.js');

/** GitHub's own signing and verifying. */
export const { sign, verify } = createRequire(file)(file) as Pick<
  typeof import('@octokit/webhooks-methods'),
  'sign' | 'verify'
>;
