/** Hears an answer while it is made. */
export interface Listener {
  /** What comes next of it. */
  hear(text: string): void;
  /** What was heard does not hold: another answer comes, or none. */
  forget(): void;
}
