/** Pictures that browsers draw and that can run nothing. */
export const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** What a browser might run, draw with scripts, or open with a program that does. */
const ACTIVE = /(html|xml|svg|script|xslt|x-shockwave|x-sh|x-msdownload|hta)/i;

/** How a file is answered, by what it is: pictures are shown, everything else is saved, and what could run says nothing of itself. */
export function servedAs(contentType: string): { type: string; inline: boolean } {
  const inline = IMAGES.includes(contentType);
  if (inline) return { type: contentType, inline };
  if (ACTIVE.test(contentType)) return { type: 'application/octet-stream', inline };
  return { type: contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType, inline };
}
