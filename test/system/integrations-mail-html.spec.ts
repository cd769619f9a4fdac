import { ApiError } from '../../src/platform/errors/api-error';
import { Workers } from '../../src/platform/workers/workers.service';
import { useApp } from '../support/app';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);
const HTML = { 'MIME-Version': '1.0', 'Content-Type': 'text/html; charset=utf-8' };
const LINE = '<p>The printer is <b>on</b> fire.</p>\r\n';

afterEach(() => jest.restoreAllMocks());

it('text of a large message in HTML is made in a thread, that of a small one at once', async () => {
  const run = jest.spyOn(server.app.get(Workers), 'run');
  test.imap.deliver(ada(HTML), LINE);
  await test.look();
  expect(run).not.toHaveBeenCalled();
  test.imap.deliver(ada({ ...HTML, 'Message-ID': '<large@x>' }), `${LINE.repeat(1_000)}<p>Come soon.</p>`);
  await test.look();
  expect(run.mock.calls.map(([task]) => task.name)).toEqual(['htmlText']);
  const [small, large] = (await test.tickets()).map(({ description }) => String(description));
  expect(small).toBe('The printer is on fire.');
  expect(large).toMatch(/^The printer is on fire\.\n\nThe printer[^]*Come soon\.$/);
});

it('a message that the threads have no time for is read in part, and stops none behind it', async () => {
  const busy = new ApiError('service_unavailable', 'Too much of this is being done right now.');
  jest.spyOn(server.app.get(Workers), 'run').mockRejectedValue(busy);
  test.imap.deliver(ada(HTML), LINE.repeat(1_000));
  test.imap.deliver(ada({ 'Message-ID': '<next@x>', Subject: 'Next' }));
  await test.look();
  const [large, next] = await test.tickets();
  expect(large?.description).toMatch(/^The printer is on fire\.\n\nThe[^]*\n\n…$/);
  expect(next).toMatchObject({ subject: 'Next' });
});
