import { loadConfig } from '../config';
import type { RuntimeConfig } from '../platform/context/runtime-config';
import { installedAreas } from '../plugins/installed';
import { serve } from '../serve';
import { Ending } from '../shutdown';
import type { Order, Report, ServeOrder } from './messages';

/**
 * Makes this process one of several that answer requests: it waits for the order of the first one. Without that one it ends at
 * once; Node sees to it.
 *
 * @param failed gets what keeps it from starting
 */
export function becomeApiProcess(failed: (error: unknown) => void): void {
  let ending: Ending | null = null;
  const answer = async ({ assignment, madeNow }: ServeOrder): Promise<void> => {
    const config: RuntimeConfig = { ...loadConfig(), ...assignment };
    ending = new Ending(config.shutdownTimeoutSeconds * 1000, false);
    const url = await serve(config, installedAreas(config), ending, madeNow);
    report({ report: 'answers', url: url ?? '' });
  };
  process.on('message', (order: Order) => {
    if (order.order === 'serve') {
      answer(order).catch((error: unknown) => {
        if (!ending?.begun) failed(error);
      });
    } else if (ending) ending.begin();
    else process.exit(0);
  });
  report({ report: 'hears' });
}

function report(message: Report): void {
  process.send?.(message);
}
