import { state } from './state.js';

/** An element; strings become attributes, so that nothing is read as HTML. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name in node && typeof value !== 'string') node[name] = value;
    else if (name === 'className') node.className = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

export function icon(path) {
  const NS = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(NS, 'svg');
  for (const [name, value] of Object.entries({
    viewBox: '0 0 24 24',
    width: '26',
    height: '26',
    'aria-hidden': 'true',
  }))
    svg.setAttribute(name, value);
  const shape = document.createElementNS(NS, 'path');
  for (const [name, value] of Object.entries({
    d: path,
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '2',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  }))
    shape.setAttribute(name, value);
  svg.append(shape);
  return svg;
}

export const BUBBLE = 'M4 5h16v11H10l-5 4v-4H4z';
export const CROSS = 'M6 6l12 12M18 6L6 18';
export const ARROW = 'M4 12h15M13 6l6 6-6 6';
export const CLIP =
  'M19 11l-7.500 7.500a4.500 4.500 0 0 1-6.400-6.400l8-8a3 3 0 0 1 4.300 4.300l-8 8a1.500 1.500 0 0 1-2.100-2.100l7-7';

export function link(url, text) {
  return el(
    'a',
    { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' },
    text,
    el('span', { className: 'sr' }, ` (${state.words.newTab})`),
  );
}

/** A text whose addresses can be followed; everything of it stays text. */
export function linked(text) {
  const parts = text.split(/(https?:\/\/[^\s<>"']{1,1000}[^\s<>"'.,;:!?)\]])/);
  return parts.map((part, index) => (index % 2 === 1 && URL.canParse(part) ? link(part, part) : part));
}

export function moment(iso) {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  const form = isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(state.language, form).format(at);
}

export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_whole, key) => values[key]);
}
