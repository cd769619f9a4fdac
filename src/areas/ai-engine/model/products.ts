/** Columns that the kernel does at once: eight numbers of 64 bits, two to a register. */
const COLUMNS = 8;
const BYTES = Float64Array.BYTES_PER_ELEMENT;
const PAGE = 65_536;

/** What {@link kernelCode} does; all but `count` and `rows` in bytes. */
type Kernel = (
  out: number,
  columns: number,
  factors: number,
  step: number,
  matrix: number,
  width: number,
  count: number,
  rows: number,
  nextOut: number,
  nextFactors: number,
) => void;

/** Rows of an array: where the first begins, and how far it is from one to the next. */
export interface Rows {
  of: Float64Array;
  at: number;
  next: number;
}

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
   * Adds to each of `rows` rows `count` rows of a matrix, each as often as its factor says; all three are arrays of here.
   *
   * @param width numbers of a row
   * @param factors of each row; `step` from one to the next
   */
  add(
    rows: number,
    out: Rows,
    width: number,
    factors: Rows & { step: number },
    matrix: Float64Array,
    count: number,
  ): void {
    const done = this.kernel ? width - (width % COLUMNS) : 0;
    this.kernel?.(
      out.of.byteOffset + out.at * BYTES,
      done * BYTES,
      factors.of.byteOffset + factors.at * BYTES,
      factors.step * BYTES,
      matrix.byteOffset,
      width * BYTES,
      count,
      rows,
      out.next * BYTES,
      factors.next * BYTES,
    );
    for (let row = 0; row < rows && done < width; row++)
      addRest(out.of, out.at + row * out.next, width, factors, factors.at + row * factors.next, matrix, count, done);
  }
}

/** The same to one row, from one of its numbers on. */
function addRest(
  out: Float64Array,
  outAt: number,
  width: number,
  { of: factors, step }: { of: Float64Array; step: number },
  factorsAt: number,
  matrix: Float64Array,
  count: number,
  from: number,
): void {
  for (let row = 0; row < count; row++) {
    const factor = factors[factorsAt + row * step] ?? 0;
    for (let at = from; at < width; at++)
      out[outAt + at] = (out[outAt + at] ?? 0) + factor * (matrix[row * width + at] ?? 0);
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
 * A module with one function, {@link Kernel}: for each row of `out`, for each eight columns of it, four registers go along all rows of the
 * matrix and add the product of factor and number; then they are stored.
 */
function kernelCode(): Uint8Array<ArrayBuffer> {
  const [out, columns, factors, step, matrix, width, count, rows, nextOut, nextFactors] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ] as const;
  const [column, left, factor, row, times] = [10, 11, 12, 13, 18] as const;
  const sums = [14, 15, 16, 17].map((sum, at) => ({ sum, offset: 16 * at }));
  const place = [...get(out), ...get(column), ...ADD];
  const move = (local: number, by: number[]): number[] => [...get(local), ...by, ...ADD, ...set(local)];
  const countDown = (local: number): number[] => [...get(local), ...constant(1), ...SUBTRACT, ...set(local)];
  const repeated = (body: number[]): number[] => [...BLOCK, ...LOOP, ...body, ...AGAIN, ...END, ...END];
  const eachMatrixRow = [
    ...[...get(left), ...IS_ZERO, ...LEAVE_IF],
    ...[...get(factor), ...SPLAT_F64, ...set(times)],
    ...sums.flatMap(({ sum, offset }) => [
      ...[...get(sum), ...get(times), ...get(row), ...load(offset), ...MULTIPLY_F64X2, ...ADD_F64X2, ...set(sum)],
    ]),
    ...[...move(factor, get(step)), ...move(row, get(width))],
    ...countDown(left),
  ];
  const eachColumn = [
    ...[...get(column), ...get(columns), ...IS_AS_LARGE, ...LEAVE_IF],
    ...sums.flatMap(({ sum, offset }) => [...place, ...load(offset), ...set(sum)]),
    ...[...get(factors), ...set(factor), ...get(count), ...set(left)],
    ...[...get(matrix), ...get(column), ...ADD, ...set(row)],
    ...repeated(eachMatrixRow),
    ...sums.flatMap(({ sum, offset }) => [...place, ...get(sum), ...store(offset)]),
    ...move(column, constant(COLUMNS * BYTES)),
  ];
  const eachRow = [
    ...[...get(rows), ...IS_ZERO, ...LEAVE_IF],
    ...[...constant(0), ...set(column)],
    ...repeated(eachColumn),
    ...[...move(out, get(nextOut)), ...move(factors, get(nextFactors))],
    ...countDown(rows),
  ];
  const locals = [2, 4, I32, 5, V128];
  const body = [...locals, ...repeated(eachRow), ...END];
  const parameters = Array.from({ length: 10 }, () => I32);
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
