/** Rows of a sparse matrix, one after the other: row `i` is `columns` and `values` from `starts[i]` to `starts[i + 1]`. */
export interface SparseRows {
  starts: Int32Array;
  columns: Int32Array;
  values: Float32Array;
}

/** Puts rows together without knowing how many entries there will be: its arrays double as they fill. */
export class SparseBuilder {
  private columns: Int32Array<ArrayBuffer>;
  private values: Float32Array<ArrayBuffer>;
  private readonly starts = [0];
  private size = 0;

  /** @param expected entries, if it is known about how many */
  constructor(expected = 1 << 12) {
    this.columns = new Int32Array(Math.max(16, expected));
    this.values = new Float32Array(this.columns.length);
  }

  add(column: number, value: number): void {
    if (this.size === this.columns.length) this.grow();
    this.columns[this.size] = column;
    this.values[this.size++] = value;
  }

  endRow(): void {
    this.starts.push(this.size);
  }

  /** The rows; views of what was filled, so nothing may be added afterwards. */
  finish(): SparseRows {
    const starts = Int32Array.from(this.starts);
    return { starts, columns: this.columns.subarray(0, this.size), values: this.values.subarray(0, this.size) };
  }

  private grow(): void {
    const columns = new Int32Array(this.size * 2);
    const values = new Float32Array(this.size * 2);
    columns.set(this.columns);
    values.set(this.values);
    this.columns = columns;
    this.values = values;
  }
}

/**
 * The same rows with some of their columns alone, which are counted anew.
 *
 * @param kept columns that stay, ascending
 * @param all how many there were
 */
export function withColumns(rows: SparseRows, kept: Int32Array, all: number): SparseRows {
  const places = new Int32Array(all).fill(-1);
  for (const [place, column] of kept.entries()) places[column] = place;
  const builder = new SparseBuilder(rows.columns.length);
  for (let row = 0; row + 1 < rows.starts.length; row++) {
    for (let at = rows.starts[row] ?? 0; at < (rows.starts[row + 1] ?? 0); at++) {
      const place = places[rows.columns[at] ?? 0] ?? -1;
      if (place >= 0) builder.add(place, rows.values[at] ?? 0);
    }
    builder.endRow();
  }
  return builder.finish();
}
