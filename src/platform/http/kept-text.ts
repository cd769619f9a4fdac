import { digestOf } from './if-none-match';

/** A JSON text that many answers show: its bytes and their digest are made once. */
export class KeptText {
  readonly bytes: Buffer;
  readonly digest: string;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.digest = digestOf(text);
  }

  get length(): number {
    return this.bytes.length;
  }

  toString(): string {
    return this.bytes.toString();
  }
}
