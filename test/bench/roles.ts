import { compare, type Measured, send } from './load';
import { type Finding, rate } from './report';
import type { Setting } from './setting';
import { newTicket, ofBare, ofService } from './throughput';

/** Tickets made before: what a worker would fold. */
const WRITES = 500;
const LIST = '/tickets?status=open';

/**
 * A list of ROLE=api alone beside one of ROLE=all: each process by itself on the database, after the same writes, and each beside
 * the bare handler in its own run.
 */
export async function measureRoles(setting: Setting): Promise<Finding[]> {
  const all = await listsOf(setting, 'all');
  const api = await listsOf(setting, 'api');
  await setting.service.stop();
  setting.service = await setting.start({});
  const share = ({ service, bare }: Lists): number => service.rate / bare.rate;
  return [
    {
      name: `list by status after ${WRITES} writes: ROLE=api alone beside ROLE=all, both by the bare handler of their run`,
      service: `${share(api).toFixed(2)} (${rate(api.service.rate)})`,
      beside: `${share(all).toFixed(2)} (${rate(all.service.rate)})`,
      value: share(api) / share(all),
      target: { least: 0.9 },
      cpu: { service: api.service.cpu, beside: all.service.cpu },
    },
  ];
}

interface Lists {
  service: Measured;
  bare: Measured;
}

async function listsOf(setting: Setting, role: string): Promise<Lists> {
  await setting.service.stop();
  setting.service = await setting.start({ ROLE: role });
  const create = { ...ofService(setting, []), requests: [newTicket('/v1/tickets', false)] };
  await send('create', create, setting.load.connections, { amount: WRITES });
  return compare({ service: ofService(setting, [LIST]), bare: ofBare(setting, ['/status/open']) }, setting.load);
}
