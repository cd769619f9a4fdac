import { Agent, request } from 'node:http';

/** What to write. */
export interface WriteOrder {
  url: string;
  token: string;
  perSecond: number;
  seconds: number;
}

/** What came of it. */
export interface Written {
  good: number;
  failed: number;
  /** Milliseconds of each good answer. */
  times: number[];
  firstFailure: string | null;
  /** From the first write to the last answer. */
  seconds: number;
}

const TICK_MS = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const ids: number[] = [];

/** Writes at a steady rate, whatever the service does: every other write is a new ticket, the others change one. One event each. */
async function generate({ url, token, perSecond, seconds }: WriteOrder): Promise<Written> {
  const written: Written = { good: 0, failed: 0, times: [], firstFailure: null, seconds: 0 };
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
    for (; sent < due; sent++) running.push(write(url, token, sent, written));
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(running);
  written.seconds = (performance.now() - startedAt) / 1_000;
  return written;
}

async function write(url: string, token: string, n: number, written: Written): Promise<void> {
  const id = n % 2 === 1 ? ids.shift() : undefined;
  const body = JSON.stringify({ subject: `Printer ${n} on fire` });
  const startedAt = performance.now();
  const { status, text } = await send(
    id === undefined ? 'POST' : 'PATCH',
    `${url}/tickets${id === undefined ? '' : `/${id}`}`,
    token,
    body,
  );
  if (status === 201) ids.push((JSON.parse(text) as { data: { id: number } }).data.id);
  if (status === 200 || status === 201) {
    written.good++;
    written.times.push(performance.now() - startedAt);
  } else {
    written.failed++;
    written.firstFailure ??= `${status} ${text.slice(0, 200)}`;
  }
}

function send(method: string, url: string, token: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const failed = (error: Error): void => resolve({ status: 0, text: error.message });
    request(url, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('error', failed);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', failed)
      .end(body);
  });
}

process.on('message', (order: WriteOrder) => {
  void generate(order).then((written) => process.send?.(written));
});
process.send?.('ready');
