/** The line of the page that brought this here. */
export const script = document.currentScript;

/** Where everything of the channel is. */
export const base = new URL(`./${script?.dataset.channel ?? ''}`, script?.src ?? location.href).href;

/** Under which name things are kept in this browser. */
export const KEY = `helpdesk-chat:${script?.dataset.channel ?? ''}`;

/** What is known while the page is open. */
export const state = {
  /** What the server of the site says of its visitor; null of somebody unknown. */
  identity: script?.dataset.identity || null,
  /** What the service says of the channel. */
  info: null,
  words: {},
  language: 'en',
  /** By position. */
  messages: new Map(),
  /** Everything as far as this position is known, from the first of `messages` on. */
  complete: 0,
  /** There are earlier ones. */
  hasMore: false,
  /** Null before anybody has said something. */
  thread: null,
  /** Who of the other side is writing; null = nobody. */
  writing: null,
};

/** What is kept beyond the page: in the storage of its origin, or, where there is none, while it is open. */
export const kept = { session: null, visitor: null, identified: false, open: false, seen: 0, pending: [], asked: 0 };
try {
  Object.assign(kept, JSON.parse(localStorage.getItem(KEY) ?? '{}'));
} catch {
  // It is begun anew.
}

export function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full, or forbidden here.
  }
}

/** Nothing of a visitor stays: whoever comes next is somebody else. */
export function forgetAll() {
  Object.assign(kept, { session: null, visitor: null, identified: false, seen: 0, pending: [], asked: 0 });
  Object.assign(state, { messages: new Map(), complete: 0, hasMore: false, thread: null, writing: null });
  keep();
}
