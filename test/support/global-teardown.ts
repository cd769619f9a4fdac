import { tearDown } from './test-run';

export = tearDown;
