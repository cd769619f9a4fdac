import { fill } from './dom.js';
import { asVisitor, begin, call, read } from './requests.js';
import { forgetAll, keep, kept, state } from './state.js';
import { showForms, ui } from './ui.js';
import { away, show } from './view.js';

let stream = null;
let lastEventId = null;
let pauseMs = 0;
let timer = null;
let isSending = false;
let writing = null;
let toldAt = 0;

/** So often others are told that somebody writes. */
const WRITING_MS = 3_000;

/** Asks for a person, in words that they may read. */
export function askForPerson() {
  kept.asked = 1;
  add({ body: state.words.asksPerson, asks_for_person: true });
  ui.text.focus();
}

/** The visitor is writing: told every few seconds, and lost where there is no connection. */
export function tellWriting() {
  const now = Date.now();
  if (!stream || state.thread === null || now - toldAt < WRITING_MS) return;
  toldAt = now;
  void call('/typing', { body: {} }).catch(() => undefined);
}

/** The questions were answered. */
export async function answered() {
  const asked = Object.fromEntries([...new FormData(ui.ask)].filter(([, value]) => value.trim() !== ''));
  try {
    await begin(asked);
    ui.note.textContent = '';
    showForms();
    ui.text.focus();
  } catch (error) {
    ui.note.textContent = error.status ? error.message : state.words.offline;
  }
}

export function add(message) {
  const client_id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  kept.pending.push({ client_id, page: location.origin + location.pathname, ...message });
  keep();
  show();
  ui.log.scrollTop = ui.log.scrollHeight;
  void flush();
}

export async function upload() {
  const file = ui.file.files[0];
  ui.file.value = '';
  if (!file) return;
  const most = state.info.attachments.max_bytes;
  if (file.size > most) {
    ui.note.textContent = fill(state.words.tooLarge, { n: Math.floor(most / 1_048_576) });
    return;
  }
  ui.note.textContent = state.words.sending;
  const named = encodeURIComponent(file.name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const headers = {
    'content-type': file.type || 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${named}`,
  };
  try {
    const stored = await asVisitor(() => read('/files', { body: file, headers }));
    ui.note.textContent = '';
    add({ files: [{ file: stored.file, filename: stored.filename }] });
  } catch (error) {
    ui.note.textContent = error.status ? error.message || state.words.noFile : state.words.noFile;
  }
}

/** Sends what waits, one after the other. What was sent and not answered is sent again: its id makes it one message. */
export async function flush() {
  if (isSending) return;
  isSending = true;
  try {
    for (;;) {
      const next = kept.pending.find(({ failed }) => !failed);
      if (!next) break;
      const { client_id, body, page, files = [], asks_for_person } = next;
      try {
        const said = await asVisitor(() =>
          read('/messages', { body: { client_id, body, page, files: files.map(({ file }) => file), asks_for_person } }),
        );
        away(false);
        take(said);
        show();
      } catch (error) {
        const isFinal = error.status >= 400 && error.status < 500 && ![408, 409, 429].includes(error.status);
        if (isFinal) {
          kept.pending = kept.pending.map((each) =>
            each.client_id === client_id ? { ...each, failed: error.message } : each,
          );
          show();
        } else {
          if (!error.status) away(true);
          later(error.after);
          break;
        }
      }
    }
  } finally {
    isSending = false;
  }
  if (!stream && state.messages.size > 0) void hear();
}

function take(message) {
  state.messages.set(message.position, message);
}

/** What comes in order. */
function heard(message) {
  take(message);
  if (message.from === 'agent') kept.asked = 0;
  if (message.from !== 'visitor') state.writing = null;
  state.complete = Math.max(state.complete, message.position);
}

/** Everything that is to be done once there is a connection. */
export async function goOn() {
  clearTimeout(timer);
  if (!kept.session && !state.identity) return;
  if (kept.pending.length) await flush();
  if (!stream && !document.hidden) await hear();
}

function later(seconds = 0) {
  pauseMs = Math.min(30_000, Math.max(1_000, pauseMs * 2));
  clearTimeout(timer);
  timer = setTimeout(() => void goOn(), Math.max(pauseMs * (0.5 + Math.random()), seconds * 1_000));
}

async function load(query = '') {
  const found = await asVisitor(() => read(`/messages${query}`));
  found.messages.forEach(heard);
  state.thread = found.thread;
  return found;
}

export async function earlier() {
  const first = Math.min(...state.messages.keys());
  const before = ui.log.scrollHeight;
  state.hasMore = (await load(`?before=${first}`)).has_more;
  show(true);
  ui.log.scrollTop += ui.log.scrollHeight - before;
}

/** Reads what there is, and then hears what comes; it comes back by itself when the connection goes. */
async function hear() {
  if (stream) return;
  const own = new AbortController();
  stream = own;
  try {
    await catchUp();
    if (state.thread === null) return;
    const headers = { accept: 'text/event-stream', ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
    const answer = await asVisitor(() => call('/stream', { headers, signal: own.signal }));
    // What was said between the look and the stream.
    await catchUp();
    away(false);
    pauseMs = 0;
    await readEvents(answer.body.getReader());
  } catch (error) {
    if (!error.status && error.name !== 'AbortError') away(true);
    if (error.status === 403 || error.status === 404) return;
  } finally {
    if (stream === own) stream = null;
  }
  if (state.thread !== null && !document.hidden) later();
}

/** Reads what was said behind what is known to be complete: the answer to what is sent here tells nothing of what came before it. */
async function catchUp() {
  if (state.complete === 0) {
    state.hasMore = (await load()).has_more;
    show(true);
    if (ui.host) ui.log.scrollTop = ui.log.scrollHeight;
    return;
  }
  while ((await load(`?after=${state.complete}`)).has_more);
  show();
}

async function readEvents(reader) {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events)
      await happened(
        Object.fromEntries(
          event.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        ),
      );
  }
}

async function happened({ id, event, data }) {
  if (id) lastEventId = id;
  if (event === 'message') {
    heard(JSON.parse(data));
    show();
  } else if (event === 'typing') {
    const { name, seconds } = JSON.parse(data);
    state.writing = name || state.info.name;
    clearTimeout(writing);
    writing = setTimeout(() => {
      state.writing = null;
      show();
    }, seconds * 1_000);
    show();
  } else if (event === 'reset') {
    state.messages.clear();
    state.complete = 0;
    await catchUp();
  }
}

/** Ends the stream, to be begun again when somebody looks. */
export function hush() {
  stream?.abort();
}

/** The visitor is somebody else from now on. */
export function forget() {
  hush();
  stream = null;
  lastEventId = null;
  forgetAll();
  if (!ui.host) return;
  show(true);
  showForms();
}
