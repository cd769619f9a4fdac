import { fileTypeFromBuffer } from 'file-type';

/** Bytes from the beginning that tell what a file is. */
export const HEAD_BYTES = 65_536;

const UNKNOWN = 'application/octet-stream';
const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]{0,62}\/[a-z0-9][\w!#$&^.+-]{0,62}$/;
/** Texts have no mark of their own; of these their sender is believed. */
const TEXTS =
  /^(text\/[\w.+-]+|application\/(json|xml|rtf|javascript|[\w.-]+\+(json|xml))|message\/rfc822|image\/svg\+xml)$/;

/** The media type that a sender names, in lower case and without parameters; null where it is none. */
export function declaredType(told: string | null | undefined): string | null {
  const type = (told ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : null;
}

/**
 * What a file is, by its bytes. What is text is what its sender says, where that is a kind of text. The rest is nobody's word.
 *
 * @param head its first bytes
 */
export async function sniffedType(head: Buffer, declared: string | null): Promise<string> {
  // It fails on a beginning that is cut off in the middle of something.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found && found.mime !== 'application/xml') return declaredType(found.mime) ?? UNKNOWN;
  if (!isText(head)) return found ? 'application/xml' : UNKNOWN;
  if (declared !== null && TEXTS.test(declared)) return declared;
  return found ? 'application/xml' : 'text/plain';
}

/** UTF-8 without control characters that texts do not have; a character may be cut off at the end. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return true;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}
