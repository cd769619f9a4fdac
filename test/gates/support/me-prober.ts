import { Agent, request } from 'node:http';

/** What the prober is told. */
export type ProberOrder = { url: string; token: string } | 'report';

/** What it answers: waits in ms with the moment (ms since 1970) at which each began, since the last report. */
export interface ProberReport {
  waits: { at: number; ms: number }[];
  failures: number;
}

const PAUSE_MS = 5;

/** A process of its own, so that what is busy elsewhere is never taken for the service: asks `/me` again and again. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let report: ProberReport = { waits: [], failures: 0 };

function ask(url: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(`${url}/v1/me`, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode === 200);
      });
    });
    asked.once('error', () => {
      resolve(false);
    });
    asked.end();
  });
}

async function probe(url: string, token: string): Promise<never> {
  for (;;) {
    const at = Date.now();
    const began = performance.now();
    if (!(await ask(url, token))) report.failures++;
    report.waits.push({ at, ms: performance.now() - began });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

process.on('message', (order: ProberOrder) => {
  if (order === 'report') {
    process.send?.(report);
    report = { waits: [], failures: 0 };
  } else {
    void probe(order.url, order.token);
  }
});
