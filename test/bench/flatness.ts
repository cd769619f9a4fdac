import { type BenchWorkspace, withClient } from './bench-data';
import { latencyOf, Probe } from './load';
import { type Finding, milliseconds } from './report';
import { at, type Setting } from './setting';
import { busiestAgent } from './throughput';

const WRITES_PER_SECOND = 50;

interface Listed {
  meta: { total: number };
}

/**
 * The first page of the big workspace beside that of a small one, with and without filters, while both are written to;
 * afterwards every total beside counting.
 */
export async function measureFlatness(setting: Setting): Promise<Finding[]> {
  const { measured, small } = setting.data;
  const filters = ['', 'status=open', 'priority=high', 'assigned_to'];
  const big = new Probe({ authorization: `Bearer ${measured.token}` });
  const little = new Probe({ authorization: `Bearer ${small.token}` });
  const writer = new Writer(setting, [measured, small]);
  const findings: Finding[] = [];
  const exact: boolean[] = [];
  try {
    for (const filter of filters) {
      const urls = {
        big: await listUrl(setting, measured, filter),
        little: await listUrl(setting, small, filter),
      };
      const times = { big: [] as number[], little: [] as number[] };
      writer.resume();
      for (let sample = 0; sample < setting.samples * 5; sample++) {
        times.big.push((await big.get(urls.big)).ms);
        times.little.push((await little.get(urls.little)).ms);
      }
      await writer.pause();
      const [here, there] = [latencyOf(times.big).p50, latencyOf(times.little).p50];
      findings.push({
        name: `first page${filter && ` by ${filter}`} beside that of 1,000 tickets, 50 writes/s, p50`,
        service: milliseconds(here),
        beside: milliseconds(there),
        value: here / there,
        target: { most: 1.5 },
      });
      exact.push(await totalIsExact(setting, big, urls.big, measured));
      exact.push(await totalIsExact(setting, little, urls.little, small));
    }
  } finally {
    await writer.pause();
    big.close();
    little.close();
  }
  findings.push({
    name: `totals equal to count(*) right after ${writer.written} writes`,
    service: `${exact.filter((one) => one).length} of ${exact.length}`,
    value: exact.filter((one) => one).length / exact.length,
    target: { least: 1 },
  });
  return findings;
}

async function listUrl(setting: Setting, workspace: BenchWorkspace, filter: string): Promise<string> {
  if (filter === '') return at(setting, '/tickets');
  if (filter !== 'assigned_to') return at(setting, `/tickets?${filter}`);
  const agent = await busiestAgent({ ...setting, data: { ...setting.data, measured: workspace } });
  return at(setting, `/tickets?assigned_to=${agent}`);
}

/** Whether the total of a list is what counting finds; nobody writes meanwhile. */
async function totalIsExact(setting: Setting, probe: Probe, url: string, { id }: BenchWorkspace): Promise<boolean> {
  const { meta } = JSON.parse((await probe.get(url)).body) as Listed;
  const conditions = [...new URL(url).searchParams].map(([column, value]) => ` AND ${column} = '${value}'`).join('');
  return withClient(setting.databaseUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>(
      `SELECT count(*) AS n FROM tickets WHERE workspace_id = $1${conditions}`,
      [id],
    );
    return rows[0]?.n === meta.total;
  });
}

/** Creates tickets in several workspaces at a steady pace, each at `WRITES_PER_SECOND`. */
class Writer {
  written = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly setting: Setting,
    private readonly workspaces: readonly BenchWorkspace[],
  ) {}

  resume(): void {
    this.timer ??= setInterval(() => {
      for (const workspace of this.workspaces) {
        const sending = this.send(workspace);
        this.pending.add(sending);
        // What failed stays, for `pause` to tell.
        sending.then(
          () => this.pending.delete(sending),
          () => undefined,
        );
      }
    }, 1_000 / WRITES_PER_SECOND);
  }

  /** Ends when everything sent has been answered. */
  async pause(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    await Promise.all(this.pending);
  }

  private async send({ token }: BenchWorkspace): Promise<void> {
    const priorities = ['low', 'medium', 'high', 'urgent'];
    const response = await fetch(at(this.setting, '/tickets'), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subject: 'Monitor flickers', priority: priorities[this.written % 4] }),
    });
    await response.text();
    if (response.status !== 201) throw new Error(`A ticket was answered with ${response.status}.`);
    this.written++;
  }
}
