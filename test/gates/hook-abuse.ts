import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answering, type Receiver, response, startReceiver } from '../support/raw-receiver';
import type { Order, Outcome } from './support/abuse-sender';
import { abusers } from './support/abusers';
import { type Findings, say } from './support/verdict';

/** A few bytes of 16 KB plus what one read of a socket brings along. */
const MOST_READ = 16_384 + 65_536;
const WARM_UP_ROUNDS = 20;
/** Kept connections are let go of after five seconds. */
const LET_GO_MS = 6_500;

/** Servers that would hold or fill a sender: what they can do to one process, many of them at once. */
export async function hookAbuse(args: readonly string[]): Promise<Findings> {
  const { values } = parseArgs({ args: [...args], options: { times: { type: 'string', default: '10' } } });
  const times = Number(values.times);
  const sender = fork(join(__dirname, 'support', 'abuse-sender.js'), [], { execArgv: ['--expose-gc'] });
  const receivers: Receiver[] = [];
  try {
    const polite = await startReceiver(answering(response('200 OK', 'thanks')));
    receivers.push(polite);
    say('Warming up.');
    const politeUrl = urlOf(polite);
    // The code is compiled and the pools have their size before memory is measured.
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      await tell(sender, { urls: [politeUrl], times: 100, bodyBytes: 262_144, letGoMs: 0 });
    }

    const names = new Map<string, string>();
    for (const [name, abuse] of Object.entries(abusers)) {
      const receiver = await startReceiver(abuse);
      receivers.push(receiver);
      names.set(urlOf(receiver), name);
    }
    say(`${names.size} kinds of abuse, ${times} at once of each.`);
    const outcome = await tell(sender, { urls: [...names.keys()], times, bodyBytes: 262_144, letGoMs: LET_GO_MS });
    const after = await tell(sender, { urls: [politeUrl], times: 20, bodyBytes: 100, letGoMs: LET_GO_MS });
    const longest = Math.max(...outcome.results.map(({ ms }) => ms));
    return {
      checks: [
        { name: 'kinds of abuse', value: names.size, target: { least: 20 } },
        { name: 'messages', value: outcome.results.length, target: { least: names.size * times } },
        { name: 'longest attempt in ms', value: Math.round(longest), target: { most: 10_500 } },
        { name: 'most bytes read from a connection', value: outcome.mostRead, target: { most: MOST_READ } },
        { name: 'most bytes kept of an answer', value: mostKept(outcome), target: { most: 4_096 } },
        { name: 'growth of memory in MB', value: round(outcome.grownMegabytes), target: { most: 20 } },
        { name: 'connections left open', value: outcome.leaked, target: { most: 0 } },
        { name: 'handles left', value: outcome.moreHandles, target: { most: 0 } },
        { name: 'messages to a polite server afterwards', value: arrived(after), target: { least: 20 } },
      ],
      facts: { outcomes: summary(outcome, names) },
    };
  } finally {
    sender.kill();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

async function tell(sender: ChildProcess, order: Order): Promise<Outcome> {
  sender.send(order);
  const [outcome] = (await once(sender, 'message')) as [Outcome];
  return outcome;
}

function urlOf({ port }: Receiver): string {
  return `http://127.0.0.1:${port}/hook`;
}

function arrived({ results }: Outcome): number {
  return results.filter(({ result }) => result.status === 200 && result.error === null).length;
}

function mostKept({ results }: Outcome): number {
  return Math.max(...results.map(({ kept }) => kept));
}

/** What each kind came to: `status/error` and the longest time. */
function summary({ results }: Outcome, names: ReadonlyMap<string, string>): Record<string, string> {
  const lines = [...names].map(([url, name]) => {
    const own = results.filter((each) => each.url === url);
    const ends = new Set(own.map(({ result }) => `${result.status ?? '-'}/${result.error?.cause ?? 'ok'}`));
    return [name, `${[...ends].join(' ')} ${Math.round(Math.max(...own.map(({ ms }) => ms)))} ms`];
  });
  return Object.fromEntries(lines) as Record<string, string>;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
