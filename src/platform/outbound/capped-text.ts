/** The first bytes of an answer: counts all, keeps a few. */
export class CappedText {
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  /** Bytes that came, kept or not. */
  total = 0;

  constructor(private readonly most: number) {}

  add(chunk: Buffer): void {
    this.total += chunk.length;
    const room = this.most - this.keptBytes;
    if (room <= 0) return;
    // A copy: a slice would keep the whole chunk in memory.
    const part = Buffer.from(chunk.subarray(0, room));
    this.kept.push(part);
    this.keptBytes += part.length;
  }

  /** As UTF-8; bytes that are none become U+FFFD, a character cut off at the end and NUL (PostgreSQL has none) are left out. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.kept), { stream: true }).replaceAll('\0', '');
  }
}
