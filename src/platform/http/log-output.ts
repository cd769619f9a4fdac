import pino, { type DestinationStream } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../../config';

type LogConfig = Pick<Config, 'logLevel' | 'logFormat' | 'colour'>;

/** Members of an access line, which are told in its own words. */
const ACCESS = ['request_id', 'method', 'path', 'status', 'ms', 'workspace_id', 'token_id'];

/** Where log lines go: standard output, as JSON for programs, or as short lines for a person at a terminal. */
export function logOutput({ logLevel, logFormat, colour }: LogConfig): DestinationStream {
  if (logLevel === 'silent') return { write: () => undefined };
  const terminal = process.stdout.isTTY;
  const forPeople = logFormat === 'pretty' || (logFormat === 'auto' && terminal);
  return forPeople ? prettyOutput(colour && terminal) : jsonOutput();
}

/**
 * Lines such as `05:01:22 GET 200 3.1 ms /v1/tickets`, written at once.
 *
 * @param destination descriptor or stream; standard output by default
 */
export function prettyOutput(
  colorize: boolean,
  destination: NonNullable<pretty.PrettyOptions['destination']> = 1,
): DestinationStream {
  return pretty({
    colorize,
    destination,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: [...ACCESS, 'context', 'worker'].join(','),
    customPrettifiers: {
      level: (_level, _key, _log, { label, labelColorized }) => (label === 'INFO' ? '' : labelColorized),
    },
    messageFormat: (log, messageKey, _label, { colors }) => {
      const { method, status, ms, path, context } = log;
      if (typeof status !== 'number' || typeof method !== 'string') {
        const from = typeof context === 'string' ? `${context}: ` : '';
        const message = log[messageKey];
        return `${from}${typeof message === 'string' ? message : ''}`;
      }
      const paint = status >= 500 ? colors.red : status >= 400 ? colors.yellow : colors.green;
      return `${method.padEnd(6)} ${paint(String(status))} ${String(ms).padStart(7)} ms  ${String(path)}`;
    },
  });
}

function jsonOutput(): DestinationStream {
  // A system call per line would cost more than making the line: lines travel together, a fifth of a second late at most.
  // No more than a pipe takes in one piece: several processes write to the same.
  const stream = pino.destination({ dest: 1, sync: false, minLength: 3_584, maxWrite: 4_096, periodicFlush: 200 });
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
