import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HealthService } from './platform/health/health.service';

/** Ctrl-C under npm arrives twice, from the terminal and from npm: only a later signal is a person's second one. */
const sameSignalMs = 500;

/**
 * Ends the process in order on SIGTERM or SIGINT: not ready any more, no new connections, requests in flight answered,
 * jobs and pools closed, then the embedded services. A second signal, or taking longer than `timeoutMs`, ends it at
 * once with exit code 1.
 */
export function shutDownOnSignals(
  app: NestFastifyApplication,
  services: { stop(): Promise<void> },
  timeoutMs: number,
): void {
  let since: number | null = null;
  const end = (): void => {
    if (since !== null && performance.now() - since > sameSignalMs) process.exit(1);
    if (since !== null) return;
    since = performance.now();
    const overdue = setTimeout(() => {
      process.stderr.write('Not everything ended in time; leaving now.\n');
      process.exit(1);
    }, timeoutMs);
    overdue.unref();
    void shutDown(app, services).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Ending failed: ${String((error as Error).stack ?? error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

async function shutDown(app: NestFastifyApplication, services: { stop(): Promise<void> }): Promise<void> {
  app.get(HealthService).startDraining();
  try {
    await app.close();
  } finally {
    await services.stop();
  }
}
