import { el, fill, link, linked, moment } from './dom.js';
import { call } from './requests.js';
import { keep, kept, state } from './state.js';
import { asksFirst, ui } from './ui.js';

/** What buttons do that is not of the view; set by what does it. */
export const actions = { goOn: () => undefined, flush: () => undefined };

/** On a small screen the chat covers the page: the focus stays in it. */
export function stayWithin(event) {
  const all = [...ui.panel.querySelectorAll('button, input:not([type=file]), textarea, a, .log')].filter(
    (node) => node.getClientRects().length > 0,
  );
  const [first, last] = [all[0], all.at(-1)];
  const goal = event.shiftKey
    ? ui.root.activeElement === first
      ? last
      : null
    : ui.root.activeElement === last
      ? first
      : null;
  if (!goal) return;
  event.preventDefault();
  goal.focus();
}

export function grow() {
  ui.text.style.setProperty('block-size', 'auto');
  ui.text.style.setProperty('block-size', `${Math.min(ui.text.scrollHeight + 2, 140)}px`);
}

/** Opens the chat; the focus goes to where one writes. */
export function open() {
  if (!ui.host) return;
  kept.open = true;
  keep();
  ui.panel.hidden = false;
  ui.host.classList.add('open');
  ui.launcher.setAttribute('aria-expanded', 'true');
  name(ui.launcher, state.words.close);
  show();
  ui.log.scrollTop = ui.log.scrollHeight;
  (asksFirst() ? ui.ask.querySelector('input') : ui.text)?.focus();
  actions.goOn();
}

export function close() {
  if (!ui.host) return;
  kept.open = false;
  keep();
  ui.panel.hidden = true;
  ui.host.classList.remove('open');
  ui.launcher.setAttribute('aria-expanded', 'false');
  show();
  ui.launcher.focus();
}

/** What a button is called. */
function name(node, label) {
  node.setAttribute('aria-label', label);
  node.title = label;
}

/** Brings the list up to what is known: nodes that are right stay, so that only what is new is read out. */
export function show(isOld = false) {
  if (!ui.host) return;
  const isAtEnd = ui.log.scrollHeight - ui.log.scrollTop - ui.log.clientHeight < 60;
  ui.log.setAttribute('aria-live', isOld ? 'off' : 'polite');
  const sent = new Set([...state.messages.values()].map((each) => each.client_id));
  kept.pending = kept.pending.filter(({ client_id: id }) => !sent.has(id));
  const all = [...state.messages.values()].sort((one, other) => one.position - other.position).concat(kept.pending);
  const nodes = new Map([...ui.list.children].map((node) => [node.dataset.key, node]));
  const wanted = all.map((message) => {
    const key = message.client_id ?? `p${message.position}`;
    const text = JSON.stringify(message);
    const known = nodes.get(key);
    const node = known?.dataset.text === text ? known : bubble(message);
    Object.assign(node.dataset, { key, text });
    return node;
  });
  wanted.forEach((node, index) => {
    if (ui.list.children[index] !== node) ui.list.insertBefore(node, ui.list.children[index] ?? null);
  });
  while (ui.list.children.length > wanted.length) ui.list.lastElementChild.remove();
  if (ui.greeting) ui.greeting.hidden = all.length > 0;
  ui.earlier.hidden = !state.hasMore;
  ui.writing.textContent = state.writing ? fill(state.words.writing, { name: state.writing }) : '';
  // While the assistant answers; people are asked for once, until one of them has written.
  const theirs = all.filter(({ from = 'visitor' }) => from !== 'visitor');
  const isFirst = theirs.at(-1)?.from === 'bot';
  ui.person.hidden = !state.info.has_assistant || !isFirst || kept.asked > 0;
  if (isAtEnd && !isOld) ui.log.scrollTop = ui.log.scrollHeight;
  marks();
}

function bubble(message) {
  const {
    from = 'visitor',
    author_name: author,
    body,
    files = [],
    created_at: at,
    edited_at: edited,
    is_deleted: deleted,
    failed,
  } = message;
  const isMine = from === 'visitor';
  const who = isMine ? state.words.you : author || state.info.name;
  const said = el('p', { className: 'text' });
  if (deleted) said.append(el('em', {}, state.words.deleted));
  else said.append(...linked(body ?? ''));
  const meta = [at ? moment(at) : failed ? '' : state.words.sending, edited && !deleted ? state.words.edited : '']
    .filter(Boolean)
    .join(' · ');
  const node = el(
    'li',
    isMine ? { className: 'mine' } : {},
    el('p', isMine ? { className: 'sr' } : { className: 'meta' }, who),
    body || deleted ? said : null,
  );
  for (const file of files) node.append(file.url ? link(file.url, file.filename) : el('p', {}, file.filename));
  if (meta) node.append(el('p', { className: 'meta' }, meta));
  if (failed) {
    const again = el('button', { type: 'button', className: 'plain' }, state.words.again);
    again.addEventListener('click', () => {
      kept.pending = kept.pending.map((each) =>
        each.client_id === message.client_id ? { ...each, failed: undefined } : each,
      );
      show();
      actions.flush();
    });
    node.append(el('p', { className: 'meta' }, fill(state.words.failed, { why: failed })), again);
  }
  return node;
}

/** What is new, and that it was read. */
let reading = null;
function marks() {
  const theirs = [...state.messages.values()].filter(({ from }) => from !== 'visitor');
  const last = Math.max(0, ...theirs.map(({ position }) => position));
  if (kept.open && !document.hidden && last > kept.seen) {
    kept.seen = last;
    clearTimeout(reading);
    reading = setTimeout(() => void call('/read', { body: { position: kept.seen } }).catch(() => undefined), 800);
  }
  keep();
  const unread = theirs.filter(({ position }) => position > kept.seen).length;
  ui.badge.hidden = unread === 0;
  ui.badge.textContent = unread > 9 ? '9+' : String(unread);
  name(
    ui.launcher,
    kept.open
      ? state.words.close
      : unread
        ? `${state.words.open}, ${fill(state.words.unread, { n: unread })}`
        : state.words.open,
  );
}

/** Tells that there is no connection, or that there is one again. */
export function away(is) {
  if (ui.host) ui.note.textContent = is ? state.words.offline : '';
}
