import { Api } from '../support/api';
import { useApp } from '../support/app';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const RUN = `a${'\u0301\u0323'.repeat(16)}`;

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

describe('text with more than 30 combining marks in a row', () => {
  it.each<[string, string, object, string]>([
    ['POST', '/tickets', { subject: 'x', description: RUN, requester_email: 'a@example.com' }, 'description'],
    ['POST', '/tickets', { subject: RUN }, 'subject'],
    ['POST', '/tickets', { subject: 'x', custom_fields: { a: ['b', RUN] } }, 'custom_fields.a.1'],
    ['POST', '/tickets', { subject: 'x', tags: [RUN] }, 'tags.0'],
    ['POST', '/tickets', { nonsense: { deep: [{ [RUN]: 1 }] } }, `nonsense.deep.0.a${'\u0301\u0323'.repeat(15)}`],
    ['POST', '/kb/articles', { title: 'x', body: RUN.repeat(3) }, 'body'],
    ['POST', '/companies', { name: RUN }, 'name'],
    ['POST', '/tickets/batch', { operations: [{ op: 'create', data: { subject: RUN } }] }, 'operations.0.data.subject'],
    [
      'POST',
      '/automations',
      { name: 'x', conditions: { all: [{ field: 'a', value: RUN }] } },
      'conditions.all.0.value',
    ],
    ['POST', '/automations', { name: 'x', actions: [{ type: 'reply', body: `{{${RUN}}}` }] }, 'actions.0.body'],
  ])('is refused in %s %s %j', async (method, path, body, field) => {
    const answer = (await workspace.api.send(method, path, { body })).expect(422);
    expect(answer.codes).toEqual({ [field]: 'too_many_marks' });
  });

  it('is refused in every parameter, known or not', async () => {
    for (const name of ['q', 'sort', 'fields', 'status', 'nonsense']) {
      const answer = await workspace.api.get(`/tickets?${name}=${encodeURIComponent(RUN)}`);
      expect(answer.expect(422).codes).toEqual({ [name]: 'too_many_marks' });
    }
    (await workspace.api.get(`/search?q=${encodeURIComponent(RUN)}`)).expect(422);
    (await workspace.api.get(`/tickets?${encodeURIComponent(RUN)}=1`)).expect(422);
  });

  it('is refused after everything that comes first', async () => {
    const body = { subject: RUN };
    expect((await new Api(server.url, null).send('POST', '/tickets', { body })).status).toBe(401);
    expect((await workspace.readApi.post('/tickets', body)).status).toBe(403);
  });
});

describe('genuine text', () => {
  it.each([
    ['Vietnamese', 'Tôi không thể đăng nhập vào hệ thống'.normalize('NFD'), 'đăng nhập', 'dang nhap'],
    ['Hindi', 'मैं लॉगिन नहीं कर पा रहा हूँ', 'लॉगिन', 'लॉगिन'],
    ['Thai', 'ไม่สามารถเข้าสู่ระบบได้ กรุณาช่วยด้วยค่ะ', 'เข้าสู่ระบบ', 'ระบบ'],
    ['Arabic', 'لا أَسْتَطِيعُ تَسْجِيلَ الدُّخُولِ', 'تَسْجِيلَ', 'الدُّخُولِ'],
    ['Hebrew', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים', 'בְּרֵאשִׁ֖ית', 'בָּרָ֣א'],
    ['emoji', 'Family 👨‍👩‍👧‍👦 ❤️‍🔥 zwj-printer', 'zwj', 'family'],
    ['Korean', '프린터가 작동하지 않아요'.normalize('NFD'), '프린터가', '작동하지'],
    ['a ligature', 'السلام ﷺ عليكم', 'ﷺ عليكم', 'السلام'],
  ])('in %s is kept as it came, and found', async (_script, text, ...searches) => {
    const created = (await workspace.api.post('/tickets', { subject: 'x', description: text })).expect(201);
    expect(created.data['description']).toBe(text);
    for (const search of searches) {
      const found = (await workspace.api.get(`/search?types=tickets&q=${encodeURIComponent(search)}`)).expect(200);
      const { tickets = [] } = found.body.data as { tickets?: { id: number }[] };
      expect([search, tickets.map(({ id }) => id)]).toEqual([search, expect.arrayContaining([created.data.id])]);
    }
  });
});
