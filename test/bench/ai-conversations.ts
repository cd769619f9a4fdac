import { treeSeconds } from '../support/cpu-time';
import { seeded } from '../../src/areas/ai-engine/model/random';
import type { Desk } from './ai-desk';
import { quantile } from './load';
import { type Finding, milliseconds } from './report';

const ARTICLES = 300;
/** One of so many articles has a word of the question. */
const ABOUT_IT = 5;
const AT_ONCE = 100;
const WARM_UPS = 2;
const ROUNDS = 5;
const QUESTION = 'How can I reset the password of my account?';
const ANSWER = 'Open the account page and choose Reset password. A link is sent to your phone.';

/** Customers who all begin to talk at once, in a workspace with articles, each in a conversation of its own; then they say one thing more. */
export async function conversing(desk: Desk, pid: number, postmaster: number): Promise<Finding[]> {
  await publish(desk);
  await desk.send('PATCH', '/ai-engine/settings', { channels: ['chat'] });
  const begun: number[] = [];
  const said: number[] = [];
  const seconds = (): number[] => [pid, postmaster].map((each) => treeSeconds(each) ?? NaN);
  let before = seconds();
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    if (round === 0) before = seconds();
    const { ids, times } = await together(desk, () => '/ai-engine/conversations', {
      message: QUESTION,
      channel: 'chat',
    });
    const again = await together(desk, (at) => `/ai-engine/conversations/${ids[at] ?? 0}/messages`, {
      message: QUESTION,
    });
    if (round < 0) continue;
    begun.push(...times);
    said.push(...again.times);
  }
  const messages = begun.length + said.length;
  const [node = NaN, postgres = NaN] = seconds().map((now, at) => ((now - (before[at] ?? NaN)) / messages) * 1_000);
  const p95 = (name: string, times: readonly number[]): Finding => {
    const value = quantile(times, 0.95);
    return { name, service: milliseconds(value), value, target: { most: 300 } };
  };
  const cpu = (name: string, value: number): Finding => ({ name, service: milliseconds(value), value, target: null });
  return [
    p95(`${AT_ONCE} conversations begun at once, p95`, begun),
    p95(`a message in each of ${AT_ONCE} at once, p95`, said),
    cpu('CPU of Node for a message', node),
    cpu('CPU of PostgreSQL for a message', postgres),
  ];
}

interface Begun {
  id: number;
  action: string;
}

async function together(
  desk: Desk,
  path: (at: number) => string,
  body: object,
): Promise<{ ids: number[]; times: number[] }> {
  const times: number[] = [];
  const ids = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const began = performance.now();
      const { id, action } = await desk.send<Begun>('POST', path(at), body);
      times.push(performance.now() - began);
      if (action !== 'answer') throw new Error(`A customer was not answered: ${action}.`);
      return id;
    }),
  );
  return { ids, times };
}

/** Articles of some hundred words each; one of them answers. */
async function publish(desk: Desk): Promise<void> {
  const random = seeded(5);
  const word = (): string => `word${Math.floor(random() * 2_000)}`;
  const sentence = (): string => `The ${Array.from({ length: 14 }, word).join(' ')}.`;
  const paragraph = (): string => Array.from({ length: 5 }, sentence).join(' ');
  for (let number = 0; number < ARTICLES; number++) {
    const about = number % ABOUT_IT === 1 ? 'An account of it is kept.' : 'It is kept.';
    const body = [paragraph(), `${about} ${paragraph()}`, paragraph(), paragraph()].join('\n\n');
    const article =
      number === 0 ? { title: 'Reset your password', body: ANSWER } : { title: `Article ${number}`, body };
    await desk.send('POST', '/kb/articles', { ...article, status: 'published' });
  }
}
