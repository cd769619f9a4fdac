import type { ChannelAdapter, Outgoing } from '../adapters/adapter';

/** A part ends at the last of these in its second half, the best first; otherwise where there is no more room. */
const ENDS = ['\n\n', '\n', ' '] as const;

/**
 * The texts that a message leaves as: no longer than the network takes, and with its files as links where the network takes no files
 * from here. What was said leaves whole. Pure.
 */
export function partsOf(
  { body, files, template }: Pick<Outgoing, 'body' | 'files' | 'template'>,
  { maxText, takesFiles = false }: Pick<ChannelAdapter, 'maxText' | 'takesFiles'>,
): string[] {
  if (template !== null || takesFiles) return [body];
  const links = files.map(({ filename, url }) => `${filename}: ${url}`);
  const said = [body, links.join('\n')].filter((text) => text !== '').join('\n\n');
  return maxText === undefined ? [said] : split(said, maxText);
}

function split(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const end = endOf(rest, max);
    const part = rest.slice(0, end).trimEnd();
    if (part !== '') parts.push(part);
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '' || parts.length === 0) parts.push(rest);
  return parts;
}

/** Where the first part ends: networks count units or characters, so a part has no more units than either allows. */
function endOf(text: string, max: number): number {
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, max - end.length);
    if (at >= max / 2) return at + end.length;
  }
  return /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
}
