import type { ComingFile } from '../run/coming-file';
import { countIn, idOf, type Said, textIn } from './said';

/** The names that a service has for what a file says of itself. */
interface FileNames {
  filename: string;
  type?: string;
  size: string;
  created_at?: string;
}

/**
 * The files of a list that a record has; those without an id, and what is no list, are left out.
 *
 * @param at how they are found again
 */
export function filesIn(
  list: unknown,
  of: ComingFile['of'],
  holder: string,
  names: FileNames,
  at: ComingFile['at'] = {},
  idFor: (file: Said, place: number) => string | null = ({ id }) => idOf(id),
): ComingFile[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((file: unknown, place): ComingFile[] => {
    if (typeof file !== 'object' || file === null) return [];
    const said: Said = { ...file };
    const id = idFor(said, place);
    if (id === null || said.deleted === true) return [];
    return [
      {
        ...{ id, of, holder, at, is_inline: said.inline === true },
        filename: textIn(said, names.filename),
        type: names.type === undefined ? null : textIn(said, names.type),
        size: sizeIn(said, names.size),
        created_at: names.created_at === undefined ? null : textIn(said, names.created_at),
      },
    ];
  });
}

/** Some say the size as a text. */
function sizeIn(said: Said, name: string): number | null {
  const size = said[name];
  return typeof size === 'string' && /^\d{1,15}$/.test(size) ? Number(size) : countIn(said, name);
}
