import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/** What the scanner finds in every file that has it. */
export const VIRUS = 'X5O!P%@AP-EICAR';

/** A scanner that speaks INSTREAM as clamd does, for a moment: real chunks in, one line out. */
export class ClamdServer {
  /** Bytes of each file that came whole. */
  readonly files: Buffer[] = [];
  /** Answers this line in place of a finding. */
  says: string | null = null;
  private readonly server: Server;

  constructor() {
    this.server = createServer((socket) => {
      let received = Buffer.alloc(0);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        const file = fileIn(received);
        if (file === null) return;
        this.files.push(file);
        const finding = file.includes(VIRUS) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
        socket.end(`${this.says ?? finding}\0`);
      });
    });
  }

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => resolve((this.server.address() as AddressInfo).port));
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** The file that a conversation has brought; null while it goes on. */
function fileIn(received: Buffer): Buffer | null {
  const command = Buffer.from('zINSTREAM\0');
  if (received.length < command.length) return null;
  if (!received.subarray(0, command.length).equals(command)) throw new Error('This is not INSTREAM.');
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
