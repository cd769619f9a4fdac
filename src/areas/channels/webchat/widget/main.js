import { begin, read } from './requests.js';
import { KEY, kept, script, state } from './state.js';
import { SMALL } from './style.js';
import { add, answered, askForPerson, earlier, flush, forget, goOn, hush, tellWriting, upload } from './talk.js';
import { draw, showForms, ui } from './ui.js';
import { actions, away, close, grow, open, show, stayWithin } from './view.js';
import { WORDS } from './words.js';

/** What the service says of a channel is kept so long. */
const INFO_MS = 300_000;
/** Nobody has looked for so long: the stream ends until they do. */
const HIDDEN_MS = 60_000;

Object.assign(actions, { goOn: () => void goOn(), flush: () => void flush() });

/** What happens when somebody does something. */
function listen() {
  ui.launcher.addEventListener('click', () => (kept.open ? close() : open()));
  ui.close.addEventListener('click', close);
  ui.earlier.addEventListener('click', () => void earlier());
  ui.panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    if (event.key === 'Tab' && matchMedia(SMALL).matches) stayWithin(event);
  });
  ui.text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    ui.say.requestSubmit();
  });
  ui.text.addEventListener('input', () => {
    grow();
    if (ui.text.value.trim()) tellWriting();
  });
  ui.person.addEventListener('click', askForPerson);
  ui.say.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = ui.text.value.trim();
    if (!body) return;
    ui.text.value = '';
    grow();
    add({ body });
  });
  ui.ask.addEventListener('submit', (event) => {
    event.preventDefault();
    void answered();
  });
  ui.clip?.addEventListener('click', () => ui.file.click());
  ui.file?.addEventListener('change', () => void upload());
  addEventListener('online', () => void goOn());
  addEventListener('offline', () => away(true));
  let hiding = null;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => hush(), HIDDEN_MS);
    else void goOn();
  });
}

async function knowChat() {
  const saved = `${KEY}:info`;
  try {
    const { at, told } = JSON.parse(sessionStorage.getItem(saved));
    if (Date.now() - at < INFO_MS) return told;
  } catch {
    // It is asked anew.
  }
  const told = await read('');
  try {
    sessionStorage.setItem(saved, JSON.stringify({ at: Date.now(), told }));
  } catch {
    // Then it is asked on the next page, too.
  }
  return told;
}

async function start() {
  try {
    state.info = await knowChat();
  } catch (error) {
    // Not on this page, or not now.
    if (!error.status) setTimeout(() => void start(), 30_000);
    return;
  }
  if (state.info.identified_only && !state.identity) return;
  const asked = [script.dataset.language, document.documentElement.lang, ...navigator.languages, state.info.locale];
  state.language = asked.find((tag) => tag && WORDS[tag.slice(0, 2).toLowerCase()]) ?? 'en';
  state.words = WORDS[state.language.slice(0, 2).toLowerCase()];
  // Whoever was identified here and is not any more has left; who is now is somebody else until their site has said so.
  if (kept.identified && !state.identity) forget();
  if (state.identity) kept.session = null;
  draw();
  listen();
  if (state.identity) await begin().catch(() => undefined);
  showForms();
  if (kept.open && !matchMedia(SMALL).matches) {
    ui.panel.hidden = false;
    ui.host.classList.add('open');
    ui.launcher.setAttribute('aria-expanded', 'true');
  } else kept.open = false;
  show();
  await goOn();
}

window.HelpdeskChat = Object.freeze({
  open,
  close,
  /** The visitor has logged in: what the server of the site says of them. */
  identify(token) {
    forget();
    state.identity = token;
    void (async () => {
      await begin().catch(() => undefined);
      if (ui.host) showForms();
      await goOn();
    })();
  },
  /** The visitor has logged out: nothing of the conversation stays here. */
  logout() {
    state.identity = null;
    forget();
  },
});

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void start());
else void start();
