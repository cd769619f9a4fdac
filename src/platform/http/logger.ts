import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../../config';

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

/** JSON lines on standard output, written in the background; secrets are replaced by `[redacted]`. */
export function createLogger(level: LogLevel, destination = standardOutput(level)): Logger {
  return pino(
    {
      level,
      base: null,
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

function standardOutput(level: LogLevel): DestinationStream {
  if (level === 'silent') return { write: () => undefined };
  // A system call per line would cost more than making the line: lines travel together, a fifth of a second late at most.
  const stream = pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 200 });
  // What is still buffered when the process ends would be lost; before the stream is open there is nothing to flush.
  process.once('exit', () => {
    try {
      stream.flushSync();
    } catch {
      // Standard output is already closed: there is nobody left to read the lines.
    }
  });
  return stream;
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
