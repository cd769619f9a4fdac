import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, projectRoot } from '../../src/config';
import { ConfigError } from '../../src/config-values';

describe('configuration', () => {
  it('has a default for every variable', () => {
    const config = loadConfig({}, 2);
    expect(config).toMatchObject({
      clusterWorkers: 1,
      port: 3000,
      host: '127.0.0.1',
      dataDir: join(projectRoot, '.data'),
      role: 'all',
      databaseUrl: null,
      migrateDatabaseUrl: null,
      redisUrl: null,
      publicUrl: null,
      logLevel: 'info',
      databasePoolSize: 10,
      databaseWaitMs: 2000,
      redisWaitMs: 150,
      shutdownTimeoutSeconds: 10,
      webhookAllowCidrs: [],
      directoryAllowCidrs: [],
      migrationAllowCidrs: [],
      pageRateLimit: 300,
      trustProxy: [],
      secretsKey: null,
      smtpUrl: null,
      mailFrom: null,
      mailDkim: null,
    });
    expect(config.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('is explained, variable by variable', () => {
    const asked = new Set<string>();
    const given: NodeJS.ProcessEnv = { ATTACHMENT_STORE: 's3', S3_BUCKET: 'files' };
    loadConfig(
      new Proxy(given, {
        get: (env, name) => {
          asked.add(String(name));
          return env[String(name)];
        },
      }),
    );
    expect(asked.size).toBeGreaterThan(30);
    for (const file of ['.env.example', 'docs/operations.md']) {
      const text = readFileSync(join(projectRoot, file), 'utf8');
      expect([file, [...asked].filter((name) => !text.includes(name))]).toEqual([file, []]);
    }
  });

  it('counts an empty variable as unset', () => {
    expect(loadConfig({ PORT: '', ROLE: ' ', DATABASE_URL: '' })).toEqual(loadConfig({}));
  });

  it('takes every variable', () => {
    const config = loadConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/elsewhere',
      ROLE: 'worker',
      DATABASE_URL: 'postgresql://user:pass@db.example.com:5432/helpdesk',
      MIGRATE_DATABASE_URL: 'postgresql://owner:pass@db.example.com:5432/helpdesk',
      REDIS_URL: 'rediss://:pass@cache.example.com:6380/1',
      PUBLIC_URL: 'https://help.example.com/',
      LOG_LEVEL: 'debug',
      DATABASE_POOL_SIZE: '40',
      DATABASE_WAIT_MS: '500',
      REDIS_WAIT_MS: '60',
      SHUTDOWN_TIMEOUT_SECONDS: '30',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32, fd00::/8',
      DIRECTORY_ALLOW_CIDRS: '10.1.0.0/16',
      MIGRATION_ALLOW_CIDRS: '10.2.0.0/16',
      SECRETS_KEY: '0f'.repeat(32),
      SMTP_URL: 'smtp://user:pass@mail.example.com:587',
      MAIL_FROM: 'Support <support@example.com>',
      CORS_ORIGINS: 'https://app.example.com/, http://localhost:5173',
      HELPDESK_PLUGINS: '@acme/helpdesk-vehicles, ../boats',
    });
    expect(config).toMatchObject({
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      plugins: ['@acme/helpdesk-vehicles', '../boats'],
      port: 8080,
      host: '0.0.0.0',
      dataDir: '/var/lib/elsewhere',
      role: 'worker',
      databaseUrl: 'postgresql://user:pass@db.example.com:5432/helpdesk',
      migrateDatabaseUrl: 'postgresql://owner:pass@db.example.com:5432/helpdesk',
      redisUrl: 'rediss://:pass@cache.example.com:6380/1',
      publicUrl: 'https://help.example.com',
      logLevel: 'debug',
      databasePoolSize: 40,
      databaseWaitMs: 500,
      redisWaitMs: 60,
      shutdownTimeoutSeconds: 30,
      webhookAllowCidrs: ['127.0.0.1/32', 'fd00::/8'],
      directoryAllowCidrs: ['10.1.0.0/16'],
      migrationAllowCidrs: ['10.2.0.0/16'],
      secretsKey: Buffer.alloc(32, 0x0f),
      smtpUrl: 'smtp://user:pass@mail.example.com:587',
      mailFrom: 'Support <support@example.com>',
    });
  });

  it.each([
    // cores, what is set, processes, connections of each
    [1, {}, 1, 10],
    [3, {}, 1, 10],
    [4, {}, 2, 10],
    [12, {}, 6, 10],
    [16, {}, 8, 7],
    [64, {}, 8, 7],
    [2, { CLUSTER_WORKERS: '4' }, 4, 10],
    [2, { CLUSTER_WORKERS: '64' }, 64, 4],
    [16, { DATABASE_POOL_SIZE: '10' }, 2, 5],
    [16, { DATABASE_POOL_SIZE: '2' }, 1, 2],
    [16, { DATABASE_POOL_SIZE: '10', CLUSTER_WORKERS: '5' }, 5, 2],
    [16, { ROLE: 'api' }, 8, 7],
    [16, { ROLE: 'worker', CLUSTER_WORKERS: '4', DATABASE_POOL_SIZE: '20' }, 1, 20],
  ])('divides connections among processes: %d cores, %j', (cores, env, clusterWorkers, databasePoolSize) => {
    expect(loadConfig(env, cores)).toMatchObject({ clusterWorkers, databasePoolSize });
  });

  it('refuses more processes than there are connections for', () => {
    expect(() => loadConfig({ DATABASE_POOL_SIZE: '7', CLUSTER_WORKERS: '4' })).toThrow(
      new ConfigError('DATABASE_POOL_SIZE is 7, but 4 processes need 8, two each; raise it, or lower CLUSTER_WORKERS.'),
    );
  });

  it.each([
    ['PORT', 'abc', 'PORT must be a whole number from 0 to 65535, but is "abc".'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, but is "65536".'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535, but is "-1".'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535, but is "1e3".'],
    [
      'WEBHOOK_ALLOW_CIDRS',
      '10.0.0.0/33',
      'WEBHOOK_ALLOW_CIDRS must list ranges such as 127.0.0.1/32, 10.1.0.0/16, but has "10.0.0.0/33".',
    ],
    [
      'WEBHOOK_ALLOW_CIDRS',
      'localhost',
      'WEBHOOK_ALLOW_CIDRS must list ranges such as 127.0.0.1/32, 10.1.0.0/16, but has "localhost".',
    ],
    ['SECRETS_KEY', 'abc', 'SECRETS_KEY must be 64 hexadecimal digits; `openssl rand -hex 32` prints some.'],
    [
      'MAIL_DKIM_KEY_FILE',
      'package.json',
      'MAIL_DKIM_KEY_FILE must name a readable file with an RSA private key, as PEM.',
    ],
    ['MAIL_FROM', 'Helpdesk', 'MAIL_FROM must look like Helpdesk <support@example.com>, but is "Helpdesk".'],
    [
      'MAIL_FROM',
      'Helpdesk <a@b>',
      'MAIL_FROM must look like Helpdesk <support@example.com>, but is "Helpdesk <a@b>".',
    ],
    [
      'SMTP_URL',
      'smtp://mail.example.com',
      'SMTP_URL needs MAIL_FROM, the sender of that mail: Helpdesk <support@example.com>.',
    ],
    ['SMTP_URL', 'mail.example.com', 'SMTP_URL must look like smtp://user:password@mail.example.com:587.'],
    [
      'CORS_ORIGINS',
      'https://a.example,b.example',
      'CORS_ORIGINS must be any, none, or origins such as https://app.example.com, but has "b.example".',
    ],
    ['ROLE', 'web', 'ROLE must be one of all, api, worker, but is "web".'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, but is "loud".'],
    ['HOST', 'http://x', 'HOST must be an address or a host name such as 127.0.0.1 or 0.0.0.0, but is "http://x".'],
    ['CLUSTER_WORKERS', '0', 'CLUSTER_WORKERS must be a whole number from 1 to 64, but is "0".'],
    ['CLUSTER_WORKERS', 'auto', 'CLUSTER_WORKERS must be a whole number from 1 to 64, but is "auto".'],
    ['DATABASE_POOL_SIZE', '1', 'DATABASE_POOL_SIZE must be a whole number from 2 to 1000, but is "1".'],
    ['PUBLIC_URL', 'ftp://x', 'PUBLIC_URL must look like https://helpdesk.example.com, but is "ftp://x".'],
  ])('refuses %s=%s with one sentence', (name, value, message) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new ConfigError(message));
  });

  it.each([
    ['DATABASE_URL', 'mysql://user:hunter2@host/db'],
    ['DATABASE_URL', 'postgresql://user:hunter2@host'],
    ['DATABASE_URL', 'user:hunter2@host'],
    ['REDIS_URL', 'http://:hunter2@host'],
    ['REDIS_URL', 'hunter2'],
  ])('refuses %s=%s without repeating the password', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} must look like `));
    expect(() => loadConfig({ [name]: value })).not.toThrow(/hunter2/);
  });

  it('says where files are kept, and who looks into them', () => {
    const { files } = loadConfig({ DATA_DIR: '/srv/data' });
    expect(files).toEqual({
      folder: '/srv/data/attachments',
      s3: null,
      maxBytes: 25 * 1_048_576,
      quotaBytes: 10_240 * 1_048_576,
      inboxBytes: 20_480 * 1_048_576,
      scanner: null,
    });
    const bucket = {
      ATTACHMENT_STORE: 's3',
      S3_BUCKET: 'files',
      S3_ENDPOINT: 'https://s3.example.com/',
      S3_PATH_STYLE: 'true',
    };
    expect(loadConfig(bucket).files.s3).toMatchObject({
      bucket: 'files',
      endpoint: 'https://s3.example.com',
      pathStyle: true,
    });
    const scanner = (url: string): unknown => loadConfig({ CLAMD_URL: url, CLAMD_WHEN_AWAY: 'accept' }).files.scanner;
    expect(scanner('tcp://[::1]:3311')).toEqual({ address: { host: '::1', port: 3311 }, whenAway: 'accept' });
    expect(scanner('unix:/run/clamd.ctl')).toEqual({ address: { path: '/run/clamd.ctl' }, whenAway: 'accept' });
    for (const wrong of [
      { ATTACHMENT_MAX_MB: '0' },
      { ATTACHMENT_STORE: 'tape' },
      { ATTACHMENT_STORE: 's3' },
      { ...bucket, S3_ENDPOINT: 'https://user@s3.example.com' },
      { ...bucket, S3_ACCESS_KEY_ID: 'x' },
      { CLAMD_URL: 'http://x' },
    ])
      expect(() => loadConfig(wrong)).toThrow(ConfigError);
  });
});
