/** Questions that are remembered at one time: the later of two in one place is. */
const PLACES = 16_384;

/**
 * Which questions were asked lately, without a table of them: one that comes but once, as most do, leaves a number behind and nothing to
 * collect. It may be wrong about one in some hundred thousands, and forgets early where many ask, so nothing but cost may depend on it.
 */
export class AskedBefore {
  private readonly marks = new Uint32Array(PLACES);
  private begunAt = -Infinity;

  /** @param keptMs all is forgotten so often */
  constructor(private readonly keptMs: number) {}

  /** Whether the question was asked before; notes that it is. */
  note(question: string): boolean {
    const now = performance.now();
    if (now - this.begunAt > this.keptMs) {
      this.marks.fill(0);
      this.begunAt = now;
    }
    const mark = digestOf(question);
    const place = mark % PLACES;
    const isKnown = this.marks[place] === mark;
    this.marks[place] = mark;
    return isKnown;
  }
}

/** FNV-1a of 32 bits over UTF-16 units (draft-eastlake-fnv); never 0. */
function digestOf(text: string): number {
  let digest = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  return digest >>> 0 || 1;
}
