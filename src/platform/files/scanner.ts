import { Inject, Injectable, Logger } from '@nestjs/common';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { ScannerConfig } from '../../file-config';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';

/** Longest silence of the scanner, while it is connected to, written to or waited for. */
const SILENCE_MS = 30_000;
const MAX_ANSWER = 4_096;

/** What came of looking into a file: `unscanned` where nobody could, or is to. */
export type Finding = { verdict: 'clean' } | { verdict: 'unscanned' } | { verdict: 'infected'; name: string };

/** The scanner cannot look into this file, however often it is asked. */
export class Unscannable extends Error {
  override readonly name = 'Unscannable';
}

/** The scanner is away. */
export class ScannerAway extends Error {
  override readonly name = 'ScannerAway';
}

/** Looks into one file while it arrives. */
export interface Scan {
  /** Resolves when there is room for more. */
  write(chunk: Buffer): Promise<void>;
  /** @throws ScannerAway, Unscannable where files must not be kept unscanned */
  end(): Promise<Finding>;
  /** The file is not wanted any more. */
  abandon(): void;
}

const NOBODY: Scan = {
  write: () => Promise.resolve(),
  end: () => Promise.resolve({ verdict: 'unscanned' }),
  abandon: () => undefined,
};

/** Hands files to a virus scanner piece by piece: clamd, by its command INSTREAM. Without one, files are kept unscanned. */
@Injectable()
export class Scanner {
  private readonly logger = new Logger(Scanner.name);

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'files'>) {}

  begin(): Scan {
    const { scanner } = this.config.files;
    if (!scanner) return NOBODY;
    const scan = new ClamdScan(scanner.address);
    if (scanner.whenAway === 'refuse') return scan;
    return {
      write: (chunk) => scan.write(chunk),
      abandon: () => scan.abandon(),
      end: () =>
        scan.end().catch((error: unknown): Finding => {
          this.logger.warn(`A file was kept unscanned: ${(error as Error).message}`);
          return { verdict: 'unscanned' };
        }),
    };
  }
}

/** One conversation: chunks with their lengths, then a length of zero, then one line comes back. */
class ClamdScan implements Scan {
  private readonly socket: Socket;
  private failure: Error | null = null;
  private answer = '';

  constructor(address: ScannerConfig['address']) {
    this.socket = connect(address);
    this.socket.setTimeout(SILENCE_MS, () => this.fail('The virus scanner fell silent.'));
    this.socket.on('error', (error) => this.fail(`The virus scanner is away (${error.message}).`));
    this.socket.on('data', (chunk: Buffer) => {
      if (this.answer.length < MAX_ANSWER) this.answer += chunk.toString('latin1');
    });
    this.socket.write('zINSTREAM\0');
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.failure || this.answer !== '' || chunk.length === 0) return;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    this.socket.write(length);
    if (!this.socket.write(chunk)) await this.drained();
  }

  async end(): Promise<Finding> {
    if (!this.failure && !this.socket.readableEnded) {
      this.socket.write(Buffer.alloc(4));
      await once(this.socket, 'close').catch(() => undefined);
    }
    this.abandon();
    const answer = this.answer.replace(/\0[^]*$/, '').trim();
    if (answer === 'stream: OK') return { verdict: 'clean' };
    const name = /^stream: (.{1,200}) FOUND$/.exec(answer)?.[1];
    if (name !== undefined) return { verdict: 'infected', name };
    if (answer !== '') throw new Unscannable(`The virus scanner says: ${answer}`);
    throw new ScannerAway(this.failure?.message ?? 'The virus scanner did not answer.');
  }

  abandon(): void {
    this.socket.destroy();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.socket.off('drain', go).off('close', go);
        resolve();
      };
      this.socket.on('drain', go).on('close', go);
      if (this.socket.destroyed) go();
    });
  }

  private fail(message: string): void {
    this.failure ??= new ScannerAway(message);
    this.socket.destroy();
  }
}
