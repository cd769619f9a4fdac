import { isBlank } from '../../../platform/columns/not-blank';
import { withoutExcessMarks } from '../../../platform/text/marks';

const MAX_NAME = 255;
const MAX_ENDING = 20;
const UNNAMED = 'unnamed';
/** Control characters, those that turn the direction of writing, and what separates lines. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;

/** What a file is called here, of what its sender calls it: no path, nothing unseen alone, at most 255 characters with its ending. */
export function cleanFileName(told: string | null | undefined): string {
  const shown = withoutExcessMarks(
    (told ?? '')
      .slice(-4 * MAX_NAME)
      .toWellFormed()
      .replaceAll(UNSEEN, ''),
  );
  const last = shown.split(/[/\\]/).at(-1)?.trim() ?? '';
  const name = last.replace(/^\.+$/, '');
  if (isBlank(name)) return UNNAMED;
  if (name.length <= MAX_NAME) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= MAX_ENDING ? name.slice(dot) : '';
  return `${name.slice(0, MAX_NAME - ending.length)}${ending}`.toWellFormed();
}
