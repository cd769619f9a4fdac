import { areas } from '../app.module';
import type { Config } from '../config';
import type { Area } from '../platform/area/area';
import { loadPlugins } from './load';

/** What an installation is made of: the areas of this repository, then its plug-ins, which are no different. */
export function installedAreas({ plugins }: Pick<Config, 'plugins'>): Area[] {
  return [...areas, ...loadPlugins(plugins)];
}
