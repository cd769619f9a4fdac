import { Attribute, Change, type Client as LdapClient } from 'ldapts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { Api, type Fields } from '../support/api';
import { cpuTime, treeSeconds } from '../support/cpu-time';
import { BASE, groupLdif, organisation, PASSWORD, personLdif, READER, type Slapd, startSlapd } from '../support/slapd';
import { testCertificate } from '../support/test-certificate';
import { Fleet } from './support/fleet';
import { gateEnvironment } from './support/gate-environment';
import { GateServices } from './support/gate-services';
import { createWorkspaces } from './support/gate-workspaces';
import { type Findings, say } from './support/verdict';

const DEFAULTS = { people: 10_000, groups: 500, changes: 100, moved: 100 };
type Plan = typeof DEFAULTS;

/** The part of the people whose subtree vanishes. */
const BRANCH = 5;
const OVER = ['completed', 'completed_with_errors', 'failed', 'cancelled', 'awaiting_approval'];
/** The number of the last change when the directory is loaded. */
const LOADED = 100_000;

/**
 * `npm run gate -- directory [--people 10000 …]`: a real LDAP server with many people is read, and nobody comes to harm. `--part delta`:
 * no more than what a run of changes costs, beside one of everything.
 */
export async function directory(args: readonly string[]): Promise<Findings> {
  const names = Object.keys(DEFAULTS) as (keyof Plan)[];
  const options = Object.fromEntries([...names, 'part' as const].map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])] as const]));
  const plan: Plan = { ...DEFAULTS, ...Object.fromEntries(given) };
  const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-gate-'));
  const services = await GateServices.start(dataDir, say);
  const environment = { ...gateEnvironment(services.urls, dataDir), DIRECTORY_ALLOW_CIDRS: '127.0.0.1/32' };
  const fleet = new Fleet(environment, join(dataDir, 'fleet.log'));
  const slapd = await startSlapd(organisation(entriesOf(plan)), LOADED);
  try {
    const [workspace] = await createWorkspaces(services.databaseUrl, dataDir, 1);
    if (!workspace) throw new Error('No workspace was made.');
    await fleet.start(['api', 'worker', 'worker']);
    const trial = new Trial(plan, new Api(fleet.urls[0] ?? '', workspace.token), slapd, fleet, services.databaseUrl);
    return await (values.part === 'delta' ? trial.delta() : trial.run());
  } finally {
    await slapd.stop();
    await fleet.stop();
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A run that is over, and how long it took from the request on. */
interface Ran extends Fields {
  ms: number;
  /** CPU seconds of the service and of PostgreSQL. */
  cpu: Cpu;
  counts: Record<string, number>;
}

interface Cpu {
  service: number;
  postgres: number;
}

class Trial {
  constructor(
    private readonly plan: Plan,
    private readonly api: Api,
    private readonly slapd: Slapd,
    private readonly fleet: Fleet,
    private readonly databaseUrl: string,
  ) {}

  async run(): Promise<Findings> {
    const { people, groups, changes, moved } = this.plan;
    (await this.api.post('/active-directory/connections', this.connection())).expect(201);
    const dry = await this.ran({ mode: 'full', dry_run: true });
    const first = await this.ran({ mode: 'full' }, true);
    const after = await this.found();
    const again = await this.ran({ mode: 'full' });
    await this.slapd.changing((client) => this.change(client));
    const delta = await this.ran({});
    await this.slapd.changing((client) => this.move(client));
    const relocated = await this.ran({ mode: 'full' });
    const settled = await this.found();
    await this.slapd.changing((client) => this.vanish(client));
    const missed = await this.ran({ mode: 'full' });
    const waiting = await this.ran({ mode: 'full' });
    const end = await this.found();
    return {
      checks: [
        { name: 'a dry run of everything, in s', value: seconds(dry.ms), target: { most: 60 }, timed: true },
        { name: `a run of ${changes} changes, in s`, value: seconds(delta.ms), target: { most: 5 }, timed: true },
        {
          name: 'people that it did not read',
          value: people + groups - (dry.counts.scanned ?? 0),
          target: { most: 0 },
        },
        { name: 'people without a user after a kill in the middle', value: people - after.users, target: { most: 0 } },
        { name: 'users that are there twice', value: after.users - after.linked, target: { most: 0 } },
        { name: 'changes of a second run', value: changed(again), target: { most: 0 } },
        {
          name: 'changes that the delta did not read',
          value: changes - (delta.counts.scanned ?? 0),
          target: { most: 0 },
        },
        {
          name: 'changes that it did not make',
          value: changes - (delta.counts.updated ?? 0),
          target: { most: 0 },
        },
        {
          name: 'people who moved and are not just changed',
          value: Math.abs(moved - changed(relocated)),
          target: { most: 0 },
        },
        { name: 'people without access after the move', value: settled.inactive, target: { most: 0 } },
        { name: 'people without access after a subtree vanished', value: end.inactive, target: { most: 0 } },
        {
          name: 'runs that did not wait for approval',
          value: waiting.status === 'awaiting_approval' ? 0 : 1,
          target: { most: 0 },
        },
        { name: 'kills', value: this.fleet.kills, target: { least: 1 } },
      ],
      facts: {
        ...{
          people,
          groups,
          seconds_of_the_first_run: seconds(first.ms),
          seconds_of_a_run_without_changes: seconds(again.ms),
        },
        ...{ missing: missed.counts.skipped, would_lose_access: waiting.counts.disabled },
      },
    };
  }

  /** A run of everything, one of some changes, and one of as many that compares everybody, as the settings are others then. */
  async delta(): Promise<Findings> {
    const { people, groups, changes } = this.plan;
    const path = '/active-directory/connections';
    const { id } = (await this.api.post(path, this.connection())).expect(201).data;
    await this.ran({ mode: 'full' });
    const everything = await this.ran({ mode: 'full' });
    await this.ran({});
    await this.slapd.changing((client) => this.change(client));
    const delta = await this.ran({});
    (await this.api.patch(`${path}/${id}`, { safety: { max_deactivations_abs: 51 } })).expect(200);
    await this.slapd.changing((client) => this.change(client, 'Chief'));
    const wide = await this.ran({});
    const missed = 2 * changes - (delta.counts.updated ?? 0) - (wide.counts.updated ?? 0);
    return {
      checks: [
        { name: `a run of ${changes} changes, in s`, value: seconds(delta.ms), target: { most: 5 }, timed: true },
        { name: 'changes that were not made', value: missed, target: { most: 0 } },
      ],
      facts: {
        ...{ people, groups, cpu: delta.cpu },
        ...{ seconds_compared_with_everybody: seconds(wide.ms), cpu_compared_with_everybody: wide.cpu },
        ...{ seconds_of_a_full_run: seconds(everything.ms), cpu_of_a_full_run: everything.cpu },
      },
    };
  }

  private connection(): object {
    const config = { host: '127.0.0.1', port: this.slapd.secure, ca: testCertificate.cert, timeout_seconds: 120 };
    return {
      ...{ type: 'ldap', name: 'Acme' },
      config: { ...config, base_dn: BASE, bind_dn: READER, bind_password: PASSWORD },
      role_mappings: [{ group: groupDn(0), role: 'agent' }],
    };
  }

  /** Begins a run, waits for its end; a worker dies after a third of it where that is asked for. */
  private async ran(body: object, isKilled = false): Promise<Ran> {
    const begun = performance.now();
    const before = this.cpu();
    const { id } = (await this.api.post('/active-directory/sync', body)).expect(200).data;
    for (let wasKilled = false; ;) {
      await sleep(100);
      const answer = await this.api.get(`/active-directory/sync/runs/${id}`).catch(() => null);
      if (answer?.status !== 200) continue;
      const run = answer.data;
      if (OVER.includes(String(run.status))) {
        const ms = performance.now() - begun;
        say(
          `run ${id}: ${String(run.status)} after ${seconds(ms)} s, ${JSON.stringify(run.counts)} ${JSON.stringify(run.error)}`,
        );
        const { service, postgres } = this.cpu();
        const cpu = { service: hundredths(service - before.service), postgres: hundredths(postgres - before.postgres) };
        return { ...run, ms, cpu, counts: run.counts as Record<string, number> };
      }
      if (!isKilled || wasKilled || (await this.found()).users < this.plan.people / 3) continue;
      wasKilled = true;
      say('Both workers are killed.');
      this.fleet.killWorkers();
    }
  }

  private cpu(): Cpu {
    const service = this.fleet.pids.reduce((sum, pid) => sum + (treeSeconds(pid) ?? 0), 0);
    return { service, postgres: cpuTime()?.postgres ?? 0 };
  }

  private async change(client: LdapClient, title = 'Lead'): Promise<void> {
    const { changes } = this.plan;
    for (let n = 0; n < changes; n++)
      await client.modify(personDn(this.plan, n), [
        replace('title', `${title} ${n}`),
        replace('uSNChanged', String(LOADED + 1 + n)),
      ]);
  }

  /** As Active Directory does it: the groups name them by where they are. */
  private async move(client: LdapClient): Promise<void> {
    const { moved } = this.plan;
    for (let n = 0; n < moved; n++) {
      const [from, to] = [personDn(this.plan, n), `CN=${nameOf(n)},OU=Former,${BASE}`];
      await client.modifyDN(from, to);
      const group = groupDn(n % this.plan.groups);
      const member = (operation: 'add' | 'delete', dn: string): Change =>
        new Change({ operation, modification: new Attribute({ type: 'member', values: [dn] }) });
      await client.modify(group, [member('delete', from), member('add', to)]);
    }
  }

  private async vanish(client: LdapClient): Promise<void> {
    for (let n = branchOf(this.plan); n < this.plan.people; n++) await client.del(personDn(this.plan, n));
  }

  private async found(): Promise<{ users: number; linked: number; inactive: number }> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ users: number; linked: number; inactive: number }>(
        `SELECT count(*)::integer AS users, count(DISTINCT directory_user_id)::integer AS linked,
           (count(*) FILTER (WHERE status <> 'active'))::integer AS inactive FROM users WHERE source = 'ad'`,
      );
      return rows[0] ?? { users: 0, linked: 0, inactive: 0 };
    } finally {
      await client.end();
    }
  }
}

const replace = (type: string, value: string): Change =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values: [value] }) });
const seconds = (ms: number): number => Math.round(ms / 100) / 10;
const hundredths = (cpu: number): number => Math.round(cpu * 100) / 100;
const nameOf = (n: number): string => `Person ${n}`;
const groupDn = (n: number): string => `CN=Group ${n},OU=Groups,${BASE}`;
/** From here on people are in the branch that vanishes. */
const branchOf = ({ people }: Plan): number => people - Math.floor(people / BRANCH);
const unitOf = (plan: Plan, n: number): 'People' | 'Former' => (n >= branchOf(plan) ? 'Former' : 'People');
const personDn = (plan: Plan, n: number): string => `CN=${nameOf(n)},OU=${unitOf(plan, n)},${BASE}`;

/** Objects of a run that something happened to. */
function changed({ counts }: Ran): number {
  const { scanned: _scanned, ...others } = counts;
  return Object.values(others).reduce((sum, each) => sum + each, 0);
}

/** People, each in one group; each group is within the one before, and the first within the last. */
function entriesOf(plan: Plan): string[] {
  const { people, groups } = plan;
  const members = Array.from({ length: groups }, (_, n) => [groupDn((n + 1) % groups)]);
  for (let n = 0; n < people; n++) members[n % groups]?.push(personDn(plan, n));
  return [
    ...Array.from({ length: people }, (_, n) => personLdif(n + 1, nameOf(n), {}, unitOf(plan, n))),
    ...members.map((each, n) => groupLdif(people + n + 1, `Group ${n}`, each)),
  ];
}
