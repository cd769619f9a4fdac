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
const ANSWER = 'Open the account page and choose Reset password. A link is sent to your phone.';

/** Ways to ask the same, of which no two are alike: each is looked up by itself. */
const BEGINNINGS = [
  ...[
    'How can I',
    'How do I',
    'Please, how can we',
    'Hello, how can I',
    'What can I do to',
    'Hi, how do you',
    'Why can I not',
  ],
  ...['When can I', 'Dear you, how do I', 'Thanks, how can I'],
];
const ENDINGS = [
  ...['reset the password of my account', 'reset my account password', 'reset the account with the password'],
  ...['reset password and account', 'reset this password of the account', 'have the password of my account reset'],
  ...['have my account and password reset', 'get the account password reset', 'get my password for the account reset'],
  ...['do a reset of the password of this account'],
];
const QUESTIONS = BEGINNINGS.flatMap((beginning) => ENDINGS.map((ending) => `${beginning} ${ending}?`));

/** Who asks: all the same, or each in words of their own. */
const MANNERS = [
  { what: 'in the same words', question: (): string => QUESTIONS[0] ?? '' },
  { what: 'each in other words', question: (at: number): string => QUESTIONS[at % QUESTIONS.length] ?? '' },
];

/** Customers who all begin to talk at once, in a workspace with articles, each in a conversation of its own; then they say one thing more. */
export async function conversing(desk: Desk, pid: number, postmaster: number): Promise<Finding[]> {
  await publish(desk);
  await desk.send('PATCH', '/ai-engine/settings', { channels: ['chat'] });
  const findings: Finding[] = [];
  let refused = 0;
  let asked = 0;
  for (const { what, question } of MANNERS) {
    const seconds = (): number[] => [pid, postmaster].map((each) => treeSeconds(each) ?? NaN);
    const begun: number[] = [];
    const said: number[] = [];
    let before = seconds();
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      if (round === 0) before = seconds();
      const first = await together(desk, (at) => ({
        path: '/ai-engine/conversations',
        body: { message: question(at), channel: 'chat' },
      }));
      const again = await together(desk, (at) => ({
        path: `/ai-engine/conversations/${first.ids[at] ?? 0}/messages`,
        body: { message: question(at) },
      }));
      refused += first.refused + again.refused;
      asked += 2 * AT_ONCE;
      if (round < 0) continue;
      begun.push(...first.times);
      said.push(...again.times);
    }
    const messages = begun.length + said.length;
    const [node = NaN, postgres = NaN] = seconds().map((now, at) => ((now - (before[at] ?? NaN)) / messages) * 1_000);
    findings.push(
      p95(`${AT_ONCE} conversations begun at once ${what}, p95`, begun),
      p95(`a message in each of ${AT_ONCE} at once ${what}, p95`, said),
      cpu(`CPU of Node for a message ${what}`, node),
      cpu(`CPU of PostgreSQL for a message ${what}`, postgres),
    );
  }
  return [
    ...findings,
    { name: 'messages that were refused', service: `${refused} of ${asked}`, value: refused, target: { most: 0 } },
  ];
}

function p95(name: string, times: readonly number[]): Finding {
  const value = quantile(times, 0.95);
  return { name, service: milliseconds(value), value, target: { most: 300 } };
}

function cpu(name: string, value: number): Finding {
  return { name, service: milliseconds(value), value, target: null };
}

interface Begun {
  id: number;
  action: string;
}

async function together(
  desk: Desk,
  what: (at: number) => { path: string; body: object },
): Promise<{ ids: number[]; times: number[]; refused: number }> {
  const times: number[] = [];
  let refused = 0;
  const ids = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const { path, body } = what(at);
      // Of one that was refused nothing more is said.
      if (path.includes('/0/')) return 0;
      const began = performance.now();
      const { id, action } = await desk.send<Begun>('POST', path, body).catch((error: unknown) => {
        if (!String(error).includes('answered 503')) throw error;
        return { id: 0, action: 'refused' };
      });
      times.push(performance.now() - began);
      if (action === 'refused') refused++;
      else if (action !== 'answer') throw new Error(`A customer was not answered: ${action}.`);
      return id;
    }),
  );
  return { ids, times, refused };
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
