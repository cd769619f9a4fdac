import { Areas } from '../../src/platform/area/areas';
import { installedAreas } from '../../src/plugins/installed';
import { plugins } from './plugins';

/** What the applications of this run are made of. */
export const areasOfRun = installedAreas({ plugins: plugins ?? [] });

/** The areas of this repository and of the plug-ins, known by name: for tests of rules that need names and no application. */
export const installed = new Areas(areasOfRun).install();
