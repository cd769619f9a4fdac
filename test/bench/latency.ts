import { RARE_WORDS } from '../../src/cli/seed/vocabulary';
import { latencyOf, type Latency, Probe } from './load';
import { type Finding, milliseconds } from './report';
import { at, type Setting } from './setting';

const PAGE = 25;
const DEEP_PAGE = 20_000;
/** In 5 to 25 % of the tickets each. */
const COMMON_WORDS = ['device', 'error', 'new', 'password', 'cannot', 'office', 'team', 'laptop'];

interface Page {
  meta: { total: number };
  links: { next: string | null };
}

/** Milliseconds of requests sent one after another: deep pages, searches, and the guards. */
export async function measureLatency(setting: Setting): Promise<Finding[]> {
  const probe = new Probe({ authorization: setting.authorization });
  try {
    return [
      ...(await following(setting, probe)),
      await offsets(setting, probe),
      await search(setting, probe, 'rare', RARE_WORDS, 50),
      await search(setting, probe, 'common', COMMON_WORDS, 150),
      await guards(setting, probe),
    ];
  } finally {
    probe.close();
  }
}

/** `links.next` from the second page on, and from a page that only an offset led to. */
async function following(setting: Setting, probe: Probe): Promise<Finding[]> {
  const first = await page(probe, at(setting, '/tickets'));
  const last = Math.floor(first.meta.total / PAGE);
  const deep = Math.max(2, Math.min(DEEP_PAGE, last) - setting.samples - 1);
  const shallow = await follow(probe, at(setting, '/tickets?page=1'), setting.samples);
  const far = await follow(probe, at(setting, `/tickets?page=${deep}`), setting.samples);
  return [
    {
      name: `links.next around page ${deep + setting.samples} beside page 2, p50`,
      service: milliseconds(far.p50),
      beside: milliseconds(shallow.p50),
      value: far.p50 / shallow.p50,
      target: { most: 1.25 },
    },
  ];
}

async function follow(probe: Probe, start: string, count: number): Promise<Latency> {
  let { next } = (await page(probe, start)).links;
  const times: number[] = [];
  while (times.length < count && next !== null) {
    const { body, ms } = await probe.get(next);
    times.push(ms);
    next = (JSON.parse(body) as Page).links.next;
  }
  return latencyOf(times);
}

async function page(probe: Probe, url: string): Promise<Page> {
  return JSON.parse((await probe.get(url)).body) as Page;
}

async function offsets(setting: Setting, probe: Probe): Promise<Finding> {
  const { total } = (await page(probe, at(setting, '/tickets?limit=1'))).meta;
  const urls = Array.from({ length: setting.samples }, (_, index) => {
    const offset = Math.floor(total * (0.35 + (0.3 * index) / setting.samples));
    return at(setting, `/tickets?limit=${PAGE}&offset=${offset}`);
  });
  const { p50, p95 } = await probe.latency(urls);
  return {
    name: `offset in the middle of ${total}, p95 in ms`,
    service: `p50 ${milliseconds(p50)}`,
    beside: `p95 ${milliseconds(p95)}`,
    value: p95,
    target: { most: 60 },
  };
}

async function search(
  setting: Setting,
  probe: Probe,
  kind: string,
  words: readonly string[],
  most: number,
): Promise<Finding> {
  const rounds = Math.ceil(setting.samples / words.length);
  const urls = Array.from({ length: rounds }, () => words)
    .flat()
    .map((word) => at(setting, `/tickets?q=${encodeURIComponent(word)}`));
  const { total } = (await page(probe, urls[0] ?? '')).meta;
  const { p50, p95 } = await probe.latency(urls);
  return {
    name: `q, ${kind} words (${words[0]}: ${total} tickets), p95 in ms`,
    service: `p50 ${milliseconds(p50)}`,
    beside: `p95 ${milliseconds(p95)}`,
    value: p95,
    target: { most },
  };
}

/**
 * `/me` passes every guard and answers from what they found; `/health` is public and answers from memory: the difference
 * is what the guards cost, the round trip to Redis included.
 */
async function guards(setting: Setting, probe: Probe): Promise<Finding> {
  const guarded: number[] = [];
  const open: number[] = [];
  for (let round = 0; round < setting.samples * 20; round++) {
    guarded.push((await probe.get(at(setting, '/me'))).ms);
    open.push((await probe.get(at(setting, '/health'))).ms);
  }
  const me = latencyOf(guarded).p50;
  const health = latencyOf(open).p50;
  return {
    name: 'guard chain: /me beside /health, p50 in ms',
    service: milliseconds(me),
    beside: milliseconds(health),
    value: me - health,
    target: { most: 0.25 },
  };
}
