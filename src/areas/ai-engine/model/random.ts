/** Numbers from 0 to 1 that look random and are the same each time: a model can be made again, bit by bit. */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

/** Puts a list into another order, in place. */
export function shuffle(list: Int32Array, random: () => number): void {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    const moved = list[index] ?? 0;
    list[index] = list[other] ?? 0;
    list[other] = moved;
  }
}

/** The numbers from 0, in order. */
export function range(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, index) => index);
}
