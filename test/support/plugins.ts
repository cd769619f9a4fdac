import { loadConfig } from '../../src/config';

/** The plug-ins of this run: those that `HELPDESK_PLUGINS` names, for `npm test` as for the service. */
export const { plugins } = loadConfig({ HELPDESK_PLUGINS: process.env.HELPDESK_PLUGINS });
