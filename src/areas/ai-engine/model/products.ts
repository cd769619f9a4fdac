/** Columns that the kernel does at once: eight numbers of 64 bits, two to a register. */
const COLUMNS = 8;
const BYTES = Float64Array.BYTES_PER_ELEMENT;
const PAGE = 65_536;

/** What {@link kernelCode} does; all but `rows` in bytes. */
type Kernel = (
  out: number,
  columns: number,
  factors: number,
  step: number,
  matrix: number,
  width: number,
  rows: number,
) => void;

/**
 * Arrays in one memory, and sums of products of them: by a kernel of WebAssembly with two numbers to an instruction,
 * else one by one. Each number goes through the same steps in the same order either way, so the results are the same, bit by bit.
 */
export class Products {
  private readonly memory: ArrayBuffer;
  private readonly kernel: Kernel | null;
  private used = 0;

  /** @param size numbers that all arrays have together */
  constructor(size: number, isPlain = typeof WebAssembly === 'undefined') {
    if (isPlain) {
      this.memory = new ArrayBuffer(size * BYTES);
      this.kernel = null;
      return;
    }
    const memory = new WebAssembly.Memory({ initial: Math.ceil((size * BYTES) / PAGE) });
    this.memory = memory.buffer;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(kernelCode()), { own: { memory } });
    this.kernel = isKernel(exports.add) ? exports.add : null;
  }

  /** An array of so many numbers, all 0. */
  array(length: number): Float64Array<ArrayBuffer> {
    const made = new Float64Array(this.memory, this.used * BYTES, length);
    this.used += length;
    return made;
  }

  /**
   * Adds `count` rows of a matrix to a row, each as often as its factor says; all three are arrays of here.
   *
   * @param width numbers of a row
   * @param step from one factor to the next
   */
  add(
    out: Float64Array,
    outAt: number,
    width: number,
    factors: Float64Array,
    factorsAt: number,
    step: number,
    matrix: Float64Array,
    count: number,
  ): void {
    const done = this.kernel ? width - (width % COLUMNS) : 0;
    this.kernel?.(
      out.byteOffset + outAt * BYTES,
      done * BYTES,
      factors.byteOffset + factorsAt * BYTES,
      step * BYTES,
      matrix.byteOffset,
      width * BYTES,
      count,
    );
    for (let row = 0; row < count && done < width; row++) {
      const factor = factors[factorsAt + row * step] ?? 0;
      for (let at = done; at < width; at++)
        out[outAt + at] = (out[outAt + at] ?? 0) + factor * (matrix[row * width + at] ?? 0);
    }
  }
}

const isKernel = (value: unknown): value is Kernel => typeof value === 'function';

/** Codes of the instructions that are used (WebAssembly Core Specification 2.0, 5.4). */
const I32 = 0x7f;
const V128 = 0x7b;
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = [0x0b];
const AGAIN = [0x0c, 0];
const LEAVE_IF = [0x0d, 1];
const IS_ZERO = [0x45];
const IS_AS_LARGE = [0x4f];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const SPLAT_F64 = [0xfd, 0x0a, 3, 0];
const ADD_F64X2 = [0xfd, 0xf0, 1];
const MULTIPLY_F64X2 = [0xfd, 0xf2, 1];
const load = (offset: number): number[] => [0xfd, 0x00, 3, offset];
const store = (offset: number): number[] => [0xfd, 0x0b, 3, offset];
const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
/** Of less than 8,192. */
const constant = (value: number): number[] => [0x41, (value & 0x7f) | 0x80, value >> 7];

/**
 * A module with one function, {@link Kernel}: for each eight columns of `out`, four registers go along all rows and add the product of
 * factor and number; then they are stored.
 */
function kernelCode(): Uint8Array<ArrayBuffer> {
  const [out, columns, factors, step, matrix, width, rows] = [0, 1, 2, 3, 4, 5, 6] as const;
  const [column, left, factor, row, times] = [7, 8, 9, 10, 15] as const;
  const sums = [11, 12, 13, 14].map((sum, at) => ({ sum, offset: 16 * at }));
  const place = [...get(out), ...get(column), ...ADD];
  const move = (local: number, by: number[]): number[] => [...get(local), ...by, ...ADD, ...set(local)];
  const eachRow = [
    ...[...get(left), ...IS_ZERO, ...LEAVE_IF],
    ...[...get(factor), ...SPLAT_F64, ...set(times)],
    ...sums.flatMap(({ sum, offset }) => [
      ...[...get(sum), ...get(times), ...get(row), ...load(offset), ...MULTIPLY_F64X2, ...ADD_F64X2, ...set(sum)],
    ]),
    ...[...move(factor, get(step)), ...move(row, get(width))],
    ...[...get(left), ...constant(1), ...SUBTRACT, ...set(left)],
  ];
  const eachColumn = [
    ...[...get(column), ...get(columns), ...IS_AS_LARGE, ...LEAVE_IF],
    ...sums.flatMap(({ sum, offset }) => [...place, ...load(offset), ...set(sum)]),
    ...[...get(factors), ...set(factor), ...get(rows), ...set(left)],
    ...[...get(matrix), ...get(column), ...ADD, ...set(row)],
    ...[...BLOCK, ...LOOP, ...eachRow, ...AGAIN, ...END, ...END],
    ...sums.flatMap(({ sum, offset }) => [...place, ...get(sum), ...store(offset)]),
    ...move(column, constant(COLUMNS * BYTES)),
  ];
  const locals = [2, 4, I32, 5, V128];
  const body = [...locals, ...BLOCK, ...LOOP, ...eachColumn, ...AGAIN, ...END, ...END, ...END];
  const parameters = [I32, I32, I32, I32, I32, I32, I32];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...sized(parameters), 0]),
    ...section(2, [1, ...named('own'), ...named('memory'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('add'), 0, 0]),
    ...section(10, [1, ...sized(body)]),
  ]);
}

const section = (id: number, bytes: number[]): number[] => [id, ...sized(bytes)];

const named = (name: string): number[] => sized([...Buffer.from(name)]);

/** Bytes behind their number, as LEB128. */
function sized(bytes: number[]): number[] {
  const { length } = bytes;
  return length < 0x80 ? [length, ...bytes] : [(length & 0x7f) | 0x80, length >> 7, ...bytes];
}
