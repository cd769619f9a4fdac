import { HtmlTexts } from '../../src/areas/integrations/mail-in/html-texts';
import { ApiError } from '../../src/platform/errors/api-error';
import { Workers } from '../../src/platform/workers/workers.service';
import { useApp } from '../support/app';
import { ada, useMailbox } from '../support/mailbox';

const server = useApp();
const test = useMailbox(server);
const LINE = '<p>The printer is <b>on</b> fire.</p>\r\n';
const LARGE = `${LINE.repeat(1_000)}<p>Come soon.</p>`;
const WHOLE = /^The printer is on fire\.\n\nThe printer[^]*Come soon\.$/;

afterEach(() => jest.restoreAllMocks());

it('a large message in HTML is read whole', async () => {
  test.imap.deliver(ada({ 'MIME-Version': '1.0', 'Content-Type': 'text/html; charset=utf-8' }), LARGE);
  await test.look();
  expect((await test.tickets())[0]?.description).toMatch(WHOLE);
});

// Asked here: any node may take a message.
it('its text is made in a thread, that of a small one at once', async () => {
  const run = jest.spyOn(server.app.get(Workers), 'run');
  const texts = server.app.get(HtmlTexts);
  const names = (): string[] => run.mock.calls.map(([task]) => task.name).filter((name) => name === 'htmlText');
  expect(await texts.of(LINE)).toBe('The printer is on fire.');
  expect(names()).toEqual([]);
  expect(await texts.of(LARGE)).toMatch(WHOLE);
  expect(names()).not.toEqual([]);
});

it('what the threads have no time for is read in part', async () => {
  const busy = new ApiError('service_unavailable', 'Too much of this is being done right now.');
  jest.spyOn(server.app.get(Workers), 'run').mockRejectedValue(busy);
  expect(await server.app.get(HtmlTexts).of(LARGE)).toMatch(/^The printer is on fire\.\n\nThe[^]*\n\n…$/);
});
