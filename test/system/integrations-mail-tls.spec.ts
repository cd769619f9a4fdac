import { imapFailure } from '../../src/areas/integrations/mail-in/imap-failure';
import { mailFailure } from '../../src/platform/mail/mail-failure';
import { useApp } from '../support/app';
import { useSmtpServer } from '../support/mail-servers';
import { testCertificate } from '../support/test-certificate';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({ role: 'api' });
const encrypted = useSmtpServer(testCertificate);
const plain = useSmtpServer();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

async function tried(config: Record<string, unknown>): Promise<unknown> {
  const { id } = (await workspace.api.post('/integrations', { provider: 'smtp', config })).expect(201).data;
  const answer = await workspace.api.post(`/integrations/${id}/test`, {});
  return answer.expect(200).data.error;
}

it.each(['starttls', 'opportunistic'])(
  'says that a certificate is not trusted, and what to do (%s)',
  async (security) => {
    expect(await tried(encrypted.config({ security }))).toEqual({
      code: 'certificate',
      message: expect.stringMatching(/certificate is not accepted: it is self-signed\. Install .*NODE_EXTRA_CA_CERTS/),
    });
  },
);

it('says that a server does not speak TLS on a port', async () => {
  expect(await tried(plain.config({ security: 'tls' }))).toMatchObject({ code: 'tls' });
});

it('says the same of mailboxes, wherever the error is hidden', () => {
  const error = Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' });
  const expired = { code: 'certificate', message: expect.stringContaining('it has expired') };
  expect(imapFailure(error)).toEqual(expired);
  expect(imapFailure(new Error('wrapped', { cause: error }))).toEqual(expired);
  expect(mailFailure(error)).toEqual({ ...expired, isPermanent: false });
  expect(imapFailure(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toMatchObject({ code: 'unreachable' });
});
