import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { runBatch } from '../support/batch';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const PAIRS = 2;
const AT_ONCE = 2;
/** How often a request is sent again. */
const MOST_REFUSALS = 20;

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

async function makeTickets(count: number, data: object = {}): Promise<number[]> {
  const operations = Array.from({ length: count }, (_, n) => ({ op: 'create', data: { subject: `T ${n}`, ...data } }));
  const { results } = await runBatch(workspace.api, operations);
  return results.map(({ id }) => id ?? 0);
}

async function created(path: string, body: object): Promise<number> {
  return (await workspace.api.post(path, body)).expect(201).data.id;
}

/**
 * An answer: who waited too long for a lock, because the machine is busy and the ones before are slow, asks again, as
 * clients do. Deadlocks are told in other words, and not excused.
 */
async function sent(send: () => Promise<Answer>): Promise<Answer> {
  for (let refusals = 0; ; refusals++) {
    const answer = await send();
    const waited = answer.status === 503 && /is locked|took too long/.test(answer.error.message);
    if (!waited || refusals === MOST_REFUSALS) return answer;
  }
}

/** Runs both orders of the operations at once; answers what is not a complete success. */
async function opposite(operationsOf: (round: number) => readonly object[]): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (let round = 0; round < PAIRS; round += AT_ONCE) {
    const orders = Array.from({ length: AT_ONCE }, (_, n) => operationsOf(round + n)).flatMap((operations) => [
      operations,
      [...operations].reverse(),
    ]);
    const answers = await Promise.all(
      orders.map((operations) => sent(() => workspace.api.post('/tickets/batch', { mode: 'atomic', operations }))),
    );
    outcomes.push(...answers.map(({ status, body }) => ({ status, summary: summaryOf(body) })));
  }
  return outcomes.filter(
    (outcome) => !JSON.stringify(outcome).includes('"status":200,"summary":{"total":20,"succeeded":20,'),
  );
}

function summaryOf(body: unknown): unknown {
  return (body as { data?: { summary: unknown } }).data?.summary ?? body;
}

describe('two batches of the same tickets in opposite orders', () => {
  it.each([
    ['updates', (id: number, round: number) => ({ op: 'update', id, data: { subject: `Round ${round}` } })],
    ['states', (id: number, round: number) => ({ op: 'update', id, data: { status: round % 2 ? 'open' : 'on_hold' } })],
    ['tags', (id: number, round: number) => ({ op: 'add_tags', id, data: { tags: `round-${round}` } })],
    ['comments', (id: number, round: number) => ({ op: 'comment', id, data: { body: `Round ${round}` } })],
    ['escalations', (id: number, round: number) => ({ op: 'escalate', id, data: { reason: `Round ${round}` } })],
  ])('are both kept: %s', async (_, operation) => {
    const ids = await makeTickets(20);
    expect(await opposite((round) => ids.map((id) => operation(id, round)))).toEqual([]);
  });

  it('are both kept: new tickets of the same new requesters', async () => {
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const creation = (round: number, n: number): object => ({
      op: 'create',
      data: { subject: 'New', requester_email: `${n % 2 ? 'P' : 'p'}${n}-${round}@mail.example` },
    });
    expect(await opposite((round) => numbers.map((n) => creation(round, n)))).toEqual([]);
  });

  it('are both kept: comments that follow a merge to another ticket', async () => {
    const ids = await makeTickets(20);
    const [first = 0, last = 0] = [ids[0], ids[19]];
    (await workspace.api.post(`/tickets/${last}/merge`, { into_id: first })).expect(200);
    const comments = ids.map((id) => ({ op: 'comment', id, data: { body: 'Here or there' } }));
    expect(await opposite(() => comments)).toEqual([]);
  });
});

/** What a change of two records at once may answer, as long as it is an answer. */
function refusals(answers: readonly Answer[]): unknown[] {
  return answers.filter(({ status }) => status >= 500).map(({ status, body }) => ({ status, body }));
}

describe('changes that hold two records in opposite orders', () => {
  it('are both answered: a merge and its reverse', async () => {
    const answers: Answer[] = [];
    for (let round = 0; round < PAIRS; round++) {
      const [one = 0, other = 0] = await makeTickets(2);
      answers.push(
        ...(await Promise.all([
          sent(() => workspace.api.post(`/tickets/${one}/merge`, { into_id: other, comment: 'x' })),
          sent(() => workspace.api.post(`/tickets/${other}/merge`, { into_id: one, comment: 'x' })),
        ])),
      );
    }
    expect(refusals(answers)).toEqual([]);
  });

  it.each([
    ['company', '/companies', 'company_id', (n: number) => ({ name: `Company ${n}` })],
    ['category', '/categories', 'category_id', (n: number) => ({ name: `Category ${n}` })],
    ['team', '/teams', 'team_id', (n: number) => ({ name: `Team ${n}` })],
  ])('are both answered: a %s is removed while tickets come and go', async (_, path, field, body) => {
    const answers: Answer[] = [];
    for (let round = 0; round < PAIRS; round++) {
      const id = await created(path, body(round));
      const theirs = await makeTickets(5, { [field]: id });
      const others = await makeTickets(5);
      const [removed, ...changed] = await Promise.all([
        sent(() => workspace.api.delete(`${path}/${id}`)),
        ...theirs.map((ticket) =>
          sent(() => workspace.api.patch(`/tickets/${ticket}`, { subject: 'Later', [field]: null })),
        ),
        ...others.map((ticket) => sent(() => workspace.api.patch(`/tickets/${ticket}`, { [field]: id }))),
      ]);
      answers.push(removed, ...changed);
    }
    expect(refusals(answers)).toEqual([]);
  });

  it('are both answered: a user leaves while being given tickets', async () => {
    const answers: Answer[] = [];
    for (let round = 0; round < PAIRS; round++) {
      const id = await created('/users', { name: `Agent ${round}`, email: `agent${round}@mail.example` });
      const theirs = await makeTickets(5, { assigned_to: id });
      const others = await makeTickets(5);
      answers.push(
        ...(await Promise.all([
          sent(() => workspace.api.patch(`/users/${id}`, { status: 'inactive' })),
          ...theirs.map((ticket) => sent(() => workspace.api.post(`/tickets/${ticket}/assign`, { user_id: null }))),
          ...others.map((ticket) => sent(() => workspace.api.post(`/tickets/${ticket}/assign`, { user_id: id }))),
        ])),
      );
    }
    expect(refusals(answers)).toEqual([]);
  });
});
