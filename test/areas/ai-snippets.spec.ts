import fc from 'fast-check';
import { fixedPassagesOf } from '../../src/areas/ai-engine/retrieval/fixed-passages';
import { passagesOf } from '../../src/areas/ai-engine/retrieval/passages';
import { publish, start } from '../support/ai-conversations';
import { completion, GOOD } from '../support/ai-provider';
import { anyText } from '../support/any-text';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { makePerson, type Person } from '../support/people';
import { useReceiver } from '../support/receiver';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

describe('what a canned response says without its variables', () => {
  it('is whole sentences as they stand there, none of which has a part of a variable', () => {
    const text =
      'Hello {{requester.name}},\n\nunplug it. Wait. Is {{{ ticket.code }}} better now? Then plug it in.\n\n{{agent.name}}';
    expect(fixedPassagesOf(text).map(({ text: said }) => said)).toEqual(['unplug it. Wait.', 'Then plug it in.']);
    expect(fixedPassagesOf('One. Two {{\nticket.code\n}} three. Four.').map(({ text: said }) => said)).toEqual([
      'One.',
      'Four.',
    ]);
    expect(fixedPassagesOf('Fine. This {{never ends. Not fine.').map(({ text: said }) => said)).toEqual(['Fine.']);
    expect(fixedPassagesOf('{{'.repeat(30_000))).toEqual([]);
    const part = fc.oneof(anyText, fc.constantFrom('{{ticket.code}}', '{{', '}}', '. ', '\n\n'));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const whole = parts.join('');
        const fixed = fixedPassagesOf(whole);
        for (const { start: from, end, text: said } of fixed) {
          expect(whole.slice(from, end)).toBe(said);
          expect(said).not.toContain('{{');
        }
        if (!whole.includes('{{')) expect(fixed).toEqual(passagesOf(whole));
      }),
      { numRuns: 100 },
    );
  });
});

describe('canned responses as sources', () => {
  const server = useApp();
  const model = useReceiver();
  const BODY =
    'Hello {{requester.name}},\n\nunplug the docking station, wait a minute and plug it in again. About {{ticket.code}} we write again.\n\n{{agent.name}}';
  const TOLD = 'unplug the docking station, wait a minute and plug it in again.';
  const QUESTION = 'The docking station shows no picture';
  let home: TestWorkspace;
  let api: Api;
  let ines: Person;
  let snippet: Fields;
  let ticket: Fields;

  beforeAll(async () => {
    home = await makeWorkspace(server);
    ({ api } = home);
    ines = await makePerson(server, home);
    await publish(api, 'Reset your password', 'Open the account page and choose Reset password.');
    const sent = { title: 'Docking station shows no picture', body: BODY };
    snippet = (await api.post('/canned-responses', sent)).expect(201).data;
    ticket = await makeTicket(api, { subject: QUESTION, requester_email: 'ada@people.example' });
  });

  const found = async (asker: Api, more: object = {}): Promise<Fields[]> =>
    (await asker.post('/ai-engine/retrieve', { query: QUESTION, ...more })).expect(200).data.hits as Fields[];
  const suggested = async (asker: Api): Promise<Fields> =>
    (await asker.post('/ai-engine/suggest-reply', { ticket_id: ticket.id })).expect(200).data;
  const share = async (body: object, id = snippet.id): Promise<void> => {
    (await api.patch(`/canned-responses/${id}`, body)).expect(200);
  };
  const set = async (body: object): Promise<void> => {
    (await api.patch('/ai-engine/settings', body)).expect(200);
  };

  it('are quoted where they have no variable, with their places, to agents that share in them', async () => {
    const [hit] = await found(api);
    expect(hit).toMatchObject({ source_type: 'snippet', id: snippet.id, visibility: 'internal', passage: TOLD });
    expect(hit).toMatchObject({ url: `/canned-responses/${snippet.id}`, language: null });
    expect(BODY.slice(Number(hit?.start), Number(hit?.end))).toBe(TOLD);
    const own = {
      title: 'Docking stations of the night shift',
      body: 'Ask for a docking picture.',
      sharing: 'private',
    };
    const { id } = (await ines.api.post('/canned-responses', own)).expect(201).data;
    const ids = async (asker: Api): Promise<unknown[]> => (await found(asker)).map((each) => each.id);
    expect([await ids(ines.api), await ids(api)]).toEqual([expect.arrayContaining([id, snippet.id]), [snippet.id]]);
    const team = await make(api, '/teams');
    await share({ sharing: 'teams', team_ids: [team.id] });
    const other = await makePerson(server, home, { role: 'agent' });
    expect(await ids(other.api)).toEqual([]);
    await share({ sharing: 'everyone' });
    expect(await ids(other.api)).toEqual([snippet.id]);
    expect(await ids((await makeWorkspace(server)).api)).toEqual([]);
    expect(await found(api, { sources: ['kb_article', 'ticket'] })).toEqual([]);
    (await ines.api.delete(`/canned-responses/${id}`)).expect(200);
    expect(await ids(ines.api)).toEqual([snippet.id]);
  });

  it('are suggested to agents, unless the settings say no', async () => {
    const source = { type: 'snippet', id: snippet.id, quote: TOLD, visibility: 'internal' };
    expect(await suggested(api)).toMatchObject({ answer: TOLD, generated: false, sources: [source] });
    await set({ sources: { canned_responses: false } });
    expect(await suggested(api)).toMatchObject({ answer: null, abstain_reason: 'no_sources' });
    await set({ sources: { canned_responses: true } });
  });

  it('are told to customers where somebody said that they may be, and everyone shares in them', async () => {
    const audience = { audience: 'customers' };
    expect(await found(api, audience)).toEqual([]);
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify', sources: [] });
    await share({ ai_answers: true });
    expect(await found(api, audience)).toMatchObject([{ id: snippet.id, visibility: 'customers' }]);
    expect(await found(api, { audience: 'public' })).toEqual([]);
    const answer = { action: 'answer', reply: TOLD, sources: [{ type: 'snippet', id: snippet.id, quote: TOLD }] };
    expect(await start(api, QUESTION)).toMatchObject(answer);
    expect((await api.get('/canned-responses?ai_answers=true')).rows).toMatchObject([{ id: snippet.id }]);
    const team = await make(api, '/teams');
    await share({ sharing: 'teams', team_ids: [team.id] });
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify' });
    await share({ sharing: 'everyone' });
    await set({ sources: { kb_articles: false } });
    const tried = async (): Promise<Fields> => (await api.post('/ai-engine/settings/test', {})).expect(200).data;
    expect(await tried()).toMatchObject({ ok: true, canned_responses: 1, articles: 1 });
    await set({ sources: { canned_responses: false } });
    expect(await tried()).toMatchObject({ ok: false });
    await set({ sources: { kb_articles: true } });
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify' });
    await set({ sources: { canned_responses: true } });
    await share({ body: 'Hello {{requester.name}}, the docking station shows no picture of {{ticket.code}}.' });
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify' });
    await share({ body: BODY });
  });

  it('are shown to a model elsewhere without their variables', async () => {
    model.answer(completion(GOOD));
    await set({ provider: 'openai_compatible', openai_compatible: { base_url: model.at('/v1'), model: 'small' } });
    expect(await start(api, QUESTION)).toMatchObject({
      reply: GOOD.answer,
      sources: [{ type: 'snippet', quote: TOLD }],
    });
    const [asked] = model.received('/v1/chat/completions');
    expect([asked?.body.includes('docking station'), asked?.body.includes('{{')]).toEqual([true, false]);
    await set({ provider: 'local' });
  });

  it('are none once they are deleted', async () => {
    (await api.delete(`/canned-responses/${snippet.id}`)).expect(200);
    expect([await found(api), (await suggested(api)).sources]).toEqual([[], []]);
    expect(await start(api, QUESTION)).toMatchObject({ action: 'clarify' });
  });
});
