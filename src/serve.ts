import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp } from './app';
import { addDemoRecords } from './cli/demo/records';
import { refillDemo } from './cli/demo/workspace';
import type { Area } from './platform/area/area';
import type { RuntimeConfig } from './platform/context/runtime-config';
import { refuseNew } from './platform/http/drain';
import { SandboxReset } from './platform/sandbox/sandbox-reset';
import { HealthService } from './platform/health/health.service';
import type { Ending } from './shutdown';

/**
 * Starts the application in this process, to be ended by `ending`.
 *
 * @param madeNow id of a demo workspace whose records are still to be made; null = of none
 * @returns where the API is; null when this process serves none
 */
export async function serve(
  config: RuntimeConfig,
  areas: readonly Area[],
  ending: Ending,
  madeNow: number | null,
): Promise<string | null> {
  const app = await createApp(config, { areas });
  if (madeNow !== null) await addDemoRecords(app, madeNow);
  app.get(SandboxReset).fillWith((workspaceId) => refillDemo(app, config, workspaceId));
  ending.onEnd(async () => {
    app.get(HealthService).startDraining();
    await refuseNew(app.getHttpAdapter().getInstance());
    await app.close();
  });
  collectGarbage();
  if (config.role === 'worker') return null;
  await app.listen(config.port, config.host);
  return app.getUrl();
}

/**
 * The garbage of starting, before the first request: V8 would keep it, and let as much grow beside it, until far into the load;
 * from the first collection on, it counts from what is in use. What stays is moved together, as it would otherwise hold on to each page
 * that it is strewn over (21 MB of holes).
 */
export function collectGarbage(): void {
  // What a place in the code has made so far lives on, mostly, so V8 would take it for old from its birth, that of requests as well; and what is old keeps all that it knows until the next full collection.
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--compact-on-every-full-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-compact-on-every-full-gc');
  setFlagsFromString('--no-expose-gc');
}
