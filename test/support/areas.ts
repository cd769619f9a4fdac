import { loadConfig } from '../../src/config';
import { Areas } from '../../src/platform/area/areas';
import { installedAreas } from '../../src/plugins/installed';

/** The plug-ins of this run: those that `HELPDESK_PLUGINS` names, for `npm test` as for the service. */
export const { plugins } = loadConfig({ HELPDESK_PLUGINS: process.env.HELPDESK_PLUGINS });

/** What the applications of this run are made of. */
export const areasOfRun = installedAreas({ plugins: plugins ?? [] });

/** The areas of this repository and of the plug-ins, known by name: for tests of rules that need names and no application. */
export const installed = new Areas(areasOfRun).install();
