import { base, forgetAll, keep, kept, state } from './state.js';

class Refused extends Error {
  constructor(status, message, after) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

/** A request; throws what it was refused with, or what the browser says of the network. */
export async function call(path, { body, headers = {}, ...options } = {}) {
  const isJson = body !== undefined && !(body instanceof Blob);
  const answer = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    ...options,
    headers: {
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...(kept.session ? { 'x-chat-session': kept.session } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
  });
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, error?.message ?? '', Number(answer.headers.get('retry-after')) || 0);
}

/** The `data` of an answer. */
export const read = async (path, options) => (await (await call(path, options)).json()).data;

/** A session, which is begun where there is none or the visitor is another by now. */
export async function begin(asked = {}) {
  const { identity } = state;
  const before = identity || kept.identified || !kept.session ? {} : { session: kept.session };
  const made = await read('/sessions', { body: { ...before, ...asked, ...(identity ? { identity } : {}) } });
  // What somebody else has written here is not sent in the name of this one.
  if (kept.visitor !== null && kept.visitor !== made.visitor) forgetAll();
  Object.assign(kept, { session: made.session, visitor: made.visitor, identified: made.is_identified });
  keep();
}

/** Does something as the visitor; once more with a new session where the old one has ended. */
export async function asVisitor(work) {
  if (!kept.session) await begin();
  try {
    return await work();
  } catch (error) {
    if (error.status !== 401) throw error;
    await begin();
    return work();
  }
}
