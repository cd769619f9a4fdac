import { columnsOf } from '../../../src/platform/columns/column-spec';
import type { Answer, Fields } from '../api';
import {
  createOne,
  dealt,
  eventsAbout,
  eventType,
  ISO,
  nextSerial,
  NOWHERE,
  type Subject,
  unique,
  writable,
} from './subject';

/** POST: the answer's shape, what is refused, what is unique. */
export function describeCreating(subject: Subject): void {
  const { contract } = subject;
  const { resource } = contract;
  const post = (body: unknown, headers?: Record<string, string>) =>
    subject.home.api.post(subject.home.path, body, headers);
  const body = (): Record<string, unknown> => contract.create(nextSerial(), subject.home.made);
  const total = async (): Promise<unknown> =>
    (await subject.home.api.get(`${subject.home.path}?per_page=1&fields=id`)).meta.total;

  it('answers 201 with the whole record, as GET, the list and an empty change show it; its event in the same transaction', async () => {
    const created = (await post(body())).expect(201);
    const record = created.data;
    expect(Object.keys(record)).toEqual(columnsOf(resource.entity).map(({ name }) => name));
    expect(record).toMatchObject({ id: expect.any(Number) as number, external_id: null, custom_fields: {} });
    for (const column of resource.columns) {
      const value = record[column.name];
      if (!column.nullable) expect([column.name, value]).not.toEqual([column.name, null]);
      if (column.kind === 'timestamp' && value !== null)
        expect([column.name, value]).toEqual([column.name, expect.stringMatching(ISO)]);
    }
    expect(record.created_at).toBe(record.updated_at);
    await writtenTogether(record);
    const read = (await subject.home.api.get(`${subject.home.path}/${record.id}`)).expect(200);
    expect(read.data).toEqual(record);
    expect(read.header('etag')).toBe(created.header('etag'));
    const list = await subject.home.api.get(`${subject.home.path}?ids=${record.id}`);
    expect(list.rows).toEqual([record]);
    const patched = (await subject.home.api.patch(`${subject.home.path}/${record.id}`, record)).expect(200);
    expect(patched.data).toEqual(record);
    expect(patched.header('etag')).toBe(created.header('etag'));
  });

  /** The event of a new record is written by the transaction that writes the record. */
  async function writtenTogether(record: Fields): Promise<void> {
    // A record may be more than created at once: an article that is published, too.
    const created = eventType(contract, 'created');
    const event = (await eventsAbout(subject, record.id)).filter(({ type }) => type === created).at(-1);
    expect(event).toMatchObject({ type: created });
    if (!contract.eventsOf) expect(event).toMatchObject({ position: 1, changes: null, data: record });
    const [same] = await subject.sql.rows<{ together: boolean }>(
      `SELECT e.xmin = r.xmin AS together FROM ${resource.table} r, events e
       WHERE r.workspace_id = $1 AND r.id = $2 AND e.workspace_id = $1 AND e.uid = $3`,
      [subject.home.id, record.id, event?.uid],
    );
    expect(same).toEqual({ together: true });
  }

  const most = Math.max(...Object.values(contract.invalid).map((values) => values.length));
  /** In each round another wrong value of every field that has one left. */
  const rounds = Array.from({ length: most }, (_, round) =>
    Object.entries(contract.invalid).filter(([, values]) => round < values.length),
  );

  describe('what is wrong', () => {
    let steady: Fields;
    let count: unknown;
    beforeAll(async () => {
      steady = await createOne(subject);
      count = await total();
    });

    it('is named: every required field that is missing', async () => {
      const answer = (await post({})).expect(422);
      expect(answer.error.type).toBe('validation_error');
      expect([...(answer.error.missing ?? [])].sort()).toEqual([...contract.required].sort());
      expect(answer.codes).toEqual(Object.fromEntries(contract.required.map((name) => [name, 'required'])));
      for (const name of dealt(contract, contract.required, 1)) {
        const { [name]: _left, ...rest } = body();
        expect((await post(rest)).expect(422).error.missing).toEqual([name]);
      }
      const nothing = Object.fromEntries(contract.required.map((name) => [name, null]));
      const named = Object.keys((await post({ ...body(), ...nothing })).expect(422).codes);
      expect(named.sort()).toEqual([...contract.required].sort());
    });

    it('is named: unknown fields, with those there are, and custom_fields of another shape', async () => {
      const unknown = { zzz: 1, workspace_id: 1, version: 1, toString: 1 };
      const [[custom_fields, code] = []] = dealt(contract, refusedCustomFields, 1);
      const answer = (await post({ ...body(), ...unknown, custom_fields })).expect(422);
      expect(answer.codes).toEqual({
        ...Object.fromEntries(Object.keys(unknown).map((name) => [name, 'unknown_field'])),
        custom_fields: code,
      });
      for (const { code: told, allowed } of answer.error.details ?? []) {
        if (told === 'unknown_field')
          expect(allowed).toEqual(expect.arrayContaining(['external_id', ...contract.required]));
      }
    });

    it('is named: what the service sets', async () => {
      for (const name of dealt(contract, ['id', 'created_at', 'updated_at'], 1)) {
        const value = name === 'id' ? 1 : '2026-01-01T00:00:00.000Z';
        expect((await post({ ...body(), [name]: value })).expect(422).codes).toEqual({ [name]: 'immutable' });
      }
    });

    it('is named: references to nothing', async () => {
      for (const column of writable(contract, 'create')) {
        if (column.kind !== 'reference' && column.kind !== 'references') continue;
        const value = column.kind === 'reference' ? NOWHERE : [NOWHERE];
        const answer = (await post({ ...body(), [column.name]: value })).expect(422);
        expect(answer.codes).toEqual({ [column.name]: 'not_found' });
      }
    });

    const names = (codes: Record<string, string>, field: string): boolean =>
      Object.keys(codes).some(
        (name) => name === field || (/^[.[]/.test(name.slice(field.length)) && name.startsWith(field)),
      );

    /** Sends all of them at once, and those that the refusal does not name, because another rule came first, one by one. */
    async function refuses(wrong: Record<string, unknown>, send: (wrong: Record<string, unknown>) => Promise<Answer>) {
      const together = (await send(wrong)).expect(422).codes;
      for (const field of Object.keys(wrong).filter((each) => !names(together, each))) {
        const alone = await send({ [field]: wrong[field] });
        expect([field, wrong[field], alone.status]).toEqual([field, wrong[field], 422]);
        expect([field, Object.keys(alone.codes).length > 0]).toEqual([field, true]);
        if (!readOnly.has(field))
          expect([field, alone.codes, names(alone.codes, field)]).toEqual([field, alone.codes, true]);
      }
    }
    const changeable = new Set(writable(contract, 'update').map(({ name }) => name));
    const readOnly = new Set(Object.keys(contract.invalid).filter((name) => !changeable.has(name)));

    it.each(rounds.map((fields, round) => [round + 1, fields] as const))(
      'is refused: values, round %i, in a change too',
      async (round, fields) => {
        const wrong = Object.fromEntries(fields.map(([field, values]) => [field, values[round - 1]]));
        await refuses(wrong, (some) => post({ ...body(), ...some }));
        const required = Object.fromEntries(contract.required.map((name) => [name, steady[name]]));
        const path = `${subject.home.path}/${steady.id}`;
        await refuses(wrong, (some) => subject.home.api.patch(path, { ...required, ...some }));
      },
    );

    it('leaves nothing behind and nothing changed', async () => {
      expect(await total()).toBe(count);
      expect((await subject.home.api.get(`${subject.home.path}/${steady.id}`)).data).toEqual(steady);
    });
  });

  it('keeps external ids unique, per workspace, and takes custom_fields of scalars and lists of them', async () => {
    const external_id = unique();
    const [custom_fields] = dealt(contract, takenCustomFields, 1);
    const first = await createOne(subject, { external_id, custom_fields });
    expect([first.external_id, first.custom_fields]).toEqual([external_id, custom_fields]);
    expect((await post({ ...body(), external_id })).expect(422).codes).toEqual({ external_id: 'duplicate' });
    const { foreign } = subject;
    (await foreign.api.post(foreign.path, { ...contract.create(nextSerial(), foreign.made), external_id })).expect(201);
    if (!writable(contract, 'update').some(({ name }) => name === 'external_id')) return;
    const second = await createOne(subject);
    const answer = await subject.home.api.patch(`${subject.home.path}/${second.id}`, { external_id });
    expect([answer.status, answer.codes]).toEqual([422, { external_id: 'duplicate' }]);
  });

  it('happens once per idempotency key', async () => {
    const sent = body();
    const headers = { 'idempotency-key': unique() };
    const first = (await post(sent, headers)).expect(201);
    const again = (await post(sent, headers)).expect(201);
    expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect([again.header('etag'), first.header('idempotent-replayed')]).toEqual([first.header('etag'), null]);
    const later = await subject.home.api.get(`${subject.home.path}?sort=-id&per_page=1&fields=id`);
    expect(later.rows[0]?.id).toBe(first.data.id);
  });
}

const takenCustomFields: unknown[] = [
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index])),
  { a: null, b: true, c: 1.5, d: 'x', e: [1, 'y', null], 'ключ 😀': 'z' },
];

const refusedCustomFields: [value: unknown, code: string][] = [
  [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, index])), 'max'],
  [{ a: { b: 1 } }, 'type'],
  [{ a: [[1]] }, 'type'],
  [{ a: 'x'.repeat(4_001) }, 'max'],
  [{ a: Array.from({ length: 101 }, () => 1) }, 'max'],
  [{ '': 1 }, 'format'],
  [{ ['k'.repeat(65)]: 1 }, 'max'],
  [[1], 'type'],
  [null, 'type'],
  ['x', 'type'],
];
