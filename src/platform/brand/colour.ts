/** A colour as people write it on the web: `#1f5fbf`. */
export const COLOUR = /^#[0-9a-fA-F]{6}$/;

/** What small text needs (WCAG 2.2, 1.4.3). */
export const ENOUGH = 4.5;

/** What a page or a mail is painted with; every text on what it stands on has a contrast of 4.5 : 1 or more. */
export interface Palette {
  /** Behind buttons and in stripes. */
  accent: string;
  /** Text on the accent. */
  onAccent: string;
  /** Links on white, and on what is dark. */
  link: string;
  darkLink: string;
}

/** Paper by day and by night, and the ink for it. */
export const PAPER = { light: '#ffffff', dark: '#181b21' } as const;
const INK = { light: '#ffffff', dark: '#000000' } as const;

/** How two colours stand out from each other: 1 (not at all) to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

/** The colours that follow from one; whatever it is, text in them can be read. */
export function paletteOf(colour: string): Palette {
  const accent = COLOUR.test(colour) ? colour.toLowerCase() : '#1f5fbf';
  const onAccent = contrast(INK.light, accent) >= ENOUGH ? INK.light : INK.dark;
  return { accent, onAccent, link: towards(accent, 0, PAPER.light), darkLink: towards(accent, 255, PAPER.dark) };
}

/** The colour, as much darker (0) or lighter (255) as it must be to be read on that paper. */
function towards(colour: string, end: 0 | 255, paper: string): string {
  const channels = channelsOf(colour);
  for (let step = 0; step <= 20; step++) {
    const mixed = hex(channels.map((channel) => Math.round(channel + ((end - channel) * step) / 20)));
    if (contrast(mixed, paper) >= ENOUGH) return mixed;
  }
  return hex([end, end, end]);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function hex(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
