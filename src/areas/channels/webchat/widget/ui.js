import { ARROW, BUBBLE, CLIP, CROSS, el, icon } from './dom.js';
import { kept, state } from './state.js';
import { STYLE } from './style.js';

/** The parts of the chat by name; empty until it is drawn. */
export const ui = {};

/** Draws the chat, closed. */
export function draw() {
  const {
    heading,
    greeting,
    is_open: isOpen,
    outside_hours_message: outside,
    attachments,
    max_length: most,
  } = state.info;
  const host = el('div', { lang: state.language });
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  host.style.setProperty('--accent', state.info.colors.accent);
  host.style.setProperty('--on-accent', state.info.colors.onAccent);
  const button = (label, shape, className, more = {}) =>
    el('button', { type: 'button', className, 'aria-label': label, title: label, ...more }, icon(shape));
  Object.assign(ui, { host, root });
  ui.badge = el('span', { className: 'badge', hidden: true, 'aria-hidden': 'true' });
  ui.launcher = button(state.words.open, BUBBLE, 'launcher', { 'aria-expanded': 'false', 'aria-controls': 'panel' });
  ui.launcher.append(ui.badge);
  ui.close = button(state.words.close, CROSS, 'icon');
  ui.earlier = el('button', { type: 'button', className: 'plain earlier', hidden: true }, state.words.earlier);
  ui.list = el('ol');
  ui.greeting = greeting ? el('p', { className: 'greeting text' }, greeting) : null;
  ui.log = el(
    'div',
    { className: 'log', role: 'log', 'aria-label': state.words.log, tabindex: '0' },
    ui.earlier,
    ui.greeting,
    ui.list,
  );
  ui.note = el('p', { className: 'note', role: 'status' });
  ui.writing = el('p', { className: 'note', role: 'status' });
  ui.person = el('button', { type: 'button', className: 'plain person', hidden: true }, state.words.person);
  ui.text = el('textarea', { id: 'text', rows: '1', maxlength: String(most), placeholder: state.words.message });
  ui.file = attachments ? el('input', { type: 'file', hidden: true, tabindex: '-1' }) : null;
  ui.clip = attachments ? button(state.words.file, CLIP, 'icon') : null;
  ui.say = el(
    'form',
    { className: 'say' },
    ui.clip,
    ui.file,
    el('label', { className: 'sr', for: 'text' }, state.words.message),
    ui.text,
  );
  ui.say.append(
    el('button', { className: 'primary', 'aria-label': state.words.send, title: state.words.send }, icon(ARROW)),
  );
  ui.ask = questions();
  ui.panel = el(
    'section',
    { className: 'panel', id: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    el(
      'header',
      {},
      el('div', {}, el('h2', { id: 'title' }, heading), el('p', {}, isOpen ? state.words.here : state.words.away)),
      ui.close,
    ),
    isOpen ? null : el('p', { className: 'away text' }, outside ?? state.words.awayText),
    ui.log,
    ui.writing,
    ui.note,
    ui.person,
    ui.ask,
    ui.say,
  );
  root.append(ui.panel, ui.launcher);
  document.body.append(host);
  showForms();
}

/** What is asked before the first message. */
function questions() {
  const form = el('form', { className: 'ask', hidden: true });
  for (const [name, type, complete] of [
    ['name', 'text', 'name'],
    ['email', 'email', 'email'],
  ]) {
    const how = state.info.ask[name];
    if (how === 'off') continue;
    const field = el('input', {
      id: name,
      name,
      type,
      autocomplete: complete,
      maxlength: name === 'name' ? '120' : '254',
      required: how === 'required',
    });
    form.append(
      el(
        'div',
        {},
        el('label', { for: name }, state.words[name], how === 'required' ? '' : ` ${state.words.optional}`),
        field,
      ),
    );
  }
  form.append(el('button', { className: 'primary' }, state.words.start));
  return form;
}

/** Whether something is asked before anybody writes. */
export const asksFirst = () =>
  !kept.session && !state.identity && (state.info.ask.name !== 'off' || state.info.ask.email !== 'off');

export function showForms() {
  const asks = asksFirst();
  ui.ask.hidden = !asks;
  ui.say.hidden = asks;
}
