import { digestOf } from './if-none-match';

/** A JSON text as it goes out: its bytes, made once for the digest and the socket, and for all answers that show it. */
export class KeptText {
  readonly bytes: Buffer;
  readonly digest: string;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.digest = digestOf(this.bytes);
  }

  get length(): number {
    return this.bytes.length;
  }

  toString(): string {
    return this.bytes.toString();
  }
}
