import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../../config';

const silence: DestinationStream = { write: () => undefined };

/** Injection token of the log. */
export const LOGGER = Symbol('Logger');

const REDACTED = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  '*.authorization',
  '*.cookie',
  '*.token',
  '*.secret',
  '*.password',
  'headers.authorization',
  'headers.cookie',
  'headers["idempotency-key"]',
];

/**
 * JSON lines; secrets are replaced by `[redacted]`.
 *
 * @param worker a member of each line: which of several processes writes it
 */
export function createLogger(level: LogLevel, destination: DestinationStream = silence, worker?: number): Logger {
  return pino(
    {
      level,
      base: worker === undefined ? null : { worker },
      timestamp: timeMember,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    destination,
  );
}

/**
 * A log without redaction on the same output, for lines made of fixed, harmless members only: looking for secrets in
 * every access line would cost more than writing it.
 */
export function plainLog(logger: Logger): Logger {
  return logger.child({}, { redact: [] });
}

let lastTime = 0;
let lastText = '';

/** ISO 8601; made once per millisecond, however many lines fall into it. */
function timeMember(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}

/** Nest's own messages, as lines of the same log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...more: unknown[]): void {
    // Nest says at start what it mapped and injected: of interest when debugging only.
    this.logger.debug(describe(more), text(message));
  }

  error(message: unknown, ...more: unknown[]): void {
    this.logger.error({ ...describe(more), ...(message instanceof Error ? { err: message } : {}) }, text(message));
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.logger.warn(describe(more), text(message));
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.logger.fatal(describe(more), text(message));
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.logger.debug(describe(more), text(message));
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.logger.trace(describe(more), text(message));
  }
}

/** Nest passes an optional stack and, last, the name of the class that speaks. */
function describe(more: readonly unknown[]): Record<string, unknown> {
  const context = more.at(-1);
  const stack = more.length > 1 ? more[0] : undefined;
  return {
    ...(typeof context === 'string' ? { context } : {}),
    ...(typeof stack === 'string' ? { stack } : stack instanceof Error ? { err: stack } : {}),
  };
}

function text(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}
