/** `CreatedAfter` of `created_after`, without what is neither letter nor digit. */
export function pascal(text: string): string {
  const words = text.replace(/(?:^|[^A-Za-z0-9])+(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return words.replace(/[^A-Za-z0-9]+$/, '');
}

/** A name that is free among `taken`: the wish, or the wish with a number. */
export function freeName(wish: string, taken: object): string {
  if (!(wish in taken)) return wish;
  for (let number = 2; ; number += 1) if (!(`${wish}${number}` in taken)) return `${wish}${number}`;
}
