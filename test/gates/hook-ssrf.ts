import { createServer, type AddressInfo, type Server } from 'node:net';
import { parseArgs } from 'node:util';
import { isForbidden } from '../../src/platform/outbound/addresses';
import { Outbound } from '../../src/platform/outbound/outbound';
import type { OutboundResult } from '../../src/platform/outbound/outbound-result';
import type { ResolveName } from '../../src/platform/outbound/resolver';
import { checkTargetUrl } from '../../src/platform/outbound/target-url';
import { answering, response, startReceiver } from '../support/raw-receiver';
import { forbiddenAnswers, forbiddenForms, publicAddresses } from './support/forbidden-forms';
import { type Findings, say } from './support/verdict';

/** Stands for a public address: opened by the operator, and on this machine. */
const REACHABLE = '127.0.0.2';
const FORBIDDEN = '127.0.0.1';
const REDIRECTS = ['301', '302', '303', '307', '308', '300', '304', '305', '399', '201', '200'];
const AT_ONCE = 20;

/** Listens where nothing may arrive, and counts what does. */
class Canaries {
  hits = 0;
  private readonly servers: Server[] = [];

  /** Answers the port; null when it is taken or needs more rights. */
  async listen(host: string, port: number): Promise<number | null> {
    const server = createServer((socket) => {
      this.hits++;
      socket.destroy();
    });
    const listening = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, host, () => resolve(true));
    });
    if (!(await listening)) return null;
    this.servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/**
 * No connection to a forbidden address: by any notation, by any answer of a name server, by any change of it, by any
 * redirect. The canaries are shown to sing first.
 */
export async function hookSsrf(args: readonly string[]): Promise<Findings> {
  const { values } = parseArgs({ args: [...args], options: { flips: { type: 'string', default: '10000' } } });
  const canaries = new Canaries();
  const clients: Outbound[] = [];
  const client = (allowed: string[], resolve?: ResolveName): Outbound => {
    const made = new Outbound({ webhookAllowCidrs: allowed }, resolve ? { resolve } : null);
    clients.push(made);
    return made;
  };
  try {
    const ports = await openPorts(canaries);
    const [port = 0] = ports;
    await client([`${FORBIDDEN}/32`]).send(get(`http://${FORBIDDEN}:${port}/`));
    const control = canaries.hits;
    canaries.hits = 0;

    say('Notations of forbidden addresses.');
    const forms = forbiddenForms(ports);
    const registered = forms.filter((form) => checkTargetUrl(form).url !== null);
    const sent = await sendAll(client([]), forms);
    // An operator who opened some range must not have opened the others.
    sent.push(...(await sendAll(client([`${REACHABLE}/32`]), forms)));

    say('Answers of name servers.');
    for (const answer of forbiddenAnswers) {
      for (const answers of [[answer], ['8.8.8.8', answer], [answer, '2606:4700::1111'], [answer, answer]]) {
        const outbound = client([], () => Promise.resolve(answers));
        for (const each of ports) sent.push(await outbound.send(get(`https://hooks.example.com:${each}/`)));
      }
    }
    const afterForms = canaries.hits;

    say('Names that move.');
    const flips = await rebind(Number(values.flips), port, (resolve) => client([`${REACHABLE}/32`], resolve));
    const afterFlips = canaries.hits;

    say('Redirects.');
    const redirects = await followNothing(client([`${REACHABLE}/32`]), [
      `http://${FORBIDDEN}:${port}/`,
      `http://[::1]:${port}/`,
    ]);
    const falseBlocks = publicAddresses.filter((address) => isForbidden(address));
    return {
      checks: [
        { name: 'connections of the control, which was allowed', value: control, target: { least: 1 } },
        { name: 'notations of forbidden targets', value: forms.length, target: { least: 300 } },
        { name: 'of them accepted at registration', value: registered.length, target: { most: 0 } },
        { name: 'messages to forbidden targets that got an answer', value: answered(sent), target: { most: 0 } },
        { name: 'connections by notation or name', value: afterForms, target: { most: 0 } },
        { name: 'flips of a name', value: flips.sent, target: { least: Number(values.flips) } },
        {
          name: 'flips to the reachable address that arrived',
          value: flips.arrived,
          target: { least: flips.expected },
        },
        { name: 'connections by flips', value: afterFlips - afterForms, target: { most: 0 } },
        { name: 'redirects answered', value: redirects, target: { least: REDIRECTS.length * 2 } },
        { name: 'connections by redirects', value: canaries.hits - afterFlips, target: { most: 0 } },
        { name: 'public addresses', value: publicAddresses.length, target: { least: 50 } },
        { name: 'of them blocked', value: falseBlocks.length, target: { most: 0 } },
      ],
      facts: { ports, messages: sent.length + flips.sent, registered, falseBlocks },
    };
  } finally {
    for (const each of clients) each.onApplicationShutdown();
    await canaries.close();
  }
}

/** On the ports that webhooks may use, so that nothing but the address can be the reason; one of them must be free. */
async function openPorts(canaries: Canaries): Promise<number[]> {
  const ports: number[] = [];
  for (const port of [8443, 443]) {
    if ((await canaries.listen(FORBIDDEN, port)) === null) continue;
    await canaries.listen('::1', port);
    ports.push(port);
  }
  await canaries.listen(FORBIDDEN, 80);
  if (ports.length === 0) throw new Error('Neither port 8443 nor port 443 of 127.0.0.1 can be listened on.');
  return ports;
}

/**
 * A name that leads to a reachable address and to a forbidden one in turns: between messages, within an answer, and, for
 * a client that asks twice, between check and connection.
 */
async function rebind(
  flips: number,
  port: number,
  client: (resolve: ResolveName) => Outbound,
): Promise<{ sent: number; arrived: number; expected: number }> {
  const receiver = await startReceiver(answering(response('200 OK')), { host: REACHABLE, port });
  try {
    let asked = 0;
    const answers = [[REACHABLE], [FORBIDDEN], [REACHABLE, FORBIDDEN], [FORBIDDEN, REACHABLE], ['::1', REACHABLE]];
    const outbound = client(() => Promise.resolve(answers[asked++ % answers.length] ?? []));
    const url = `http://rebind.example.com:${port}/`;
    let [sent, arrived] = [0, 0];
    while (sent < flips) {
      // Not one after the other: kept connections and new ones, good answers and bad ones meet in the client.
      const results = await Promise.all(Array.from({ length: AT_ONCE }, () => outbound.send(get(url))));
      sent += results.length;
      arrived += results.filter(({ status }) => status === 200).length;
      if (sent % 2_000 === 0) say(`${sent} flips.`);
    }
    return { sent, arrived, expected: Math.floor(sent / answers.length) };
  } finally {
    await receiver.close();
  }
}

/** Answers how many redirects came back as answers. */
async function followNothing(outbound: Outbound, locations: readonly string[]): Promise<number> {
  let redirects = 0;
  for (const status of REDIRECTS) {
    for (const location of locations) {
      const headers = `location: ${location}\r\nrefresh: 0;url=${location}\r\ncontent-location: ${location}\r\n`;
      const receiver = await startReceiver(answering(response(`${status} Elsewhere`, '', headers)), {
        host: REACHABLE,
      });
      const result = await outbound.send(get(`http://${REACHABLE}:${receiver.port}/`));
      if (result.status === Number(status)) redirects++;
      await receiver.close();
    }
  }
  return redirects;
}

async function sendAll(outbound: Outbound, urls: readonly string[]): Promise<OutboundResult[]> {
  const results: OutboundResult[] = [];
  for (let at = 0; at < urls.length; at += AT_ONCE) {
    results.push(...(await Promise.all(urls.slice(at, at + AT_ONCE).map((url) => outbound.send(get(url))))));
  }
  return results;
}

function answered(results: readonly OutboundResult[]): number {
  return results.filter(({ status }) => status !== null).length;
}

function get(url: string): { method: 'GET'; url: string; headers: Record<string, string>; timeoutMs: number } {
  return { method: 'GET', url, headers: {}, timeoutMs: 5_000 };
}
