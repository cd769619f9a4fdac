import { spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { launch, Supervisor } from './child-service';
import { rememberedPort } from './ports';
import { database, superuser, superuserClient, urlOf } from './postgres-address';
import { type PostgresBinaries, postgresBinaries, postgresEnvironment } from './postgres-binaries';
import { hostBasedAuthentication, postgresSettings } from './postgres-settings';
import { handOver, ownerRole, serviceRole, setUpRoles } from './postgres-roles';
import { commandLineOf, endProcess, isAlive } from './processes';
import { rememberedPassword } from './remembered-password';
import { removeLeftSockets, socketDirectory } from './postgres-socket';
import { reachablePath, serviceUser, type ServiceUser } from './service-user';
import { errorCode, reasonOf, StartError } from './start-error';

const major = '18';

/** Fast shutdown: sessions end, everything is written. Then immediate (recovery at the next start), then by force. */
const shutdown = [
  ['SIGINT', 60],
  ['SIGQUIT', 10],
  ['SIGKILL', 5],
] as const;

/** Where the files are gone nothing can be written any more: immediate, then by force. */
const shutdownWithoutFiles = [
  ['SIGQUIT', 5],
  ['SIGKILL', 2],
] as const;

/** A service that runs because we started it. */
export interface EmbeddedService {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Its `url` is the service's: of a role that owns nothing. */
export interface EmbeddedPostgres extends EmbeddedService {
  /** For migrations and bulk loads: of the role that owns the tables. */
  readonly ownerUrl: string;
}

export interface EmbeddedOptions {
  /** Absolute path of a directory of the service's own; created when missing. */
  readonly directory: string;
  /** False: faster, and a crash of the machine may lose the data (tests). */
  readonly durable: boolean;
  /** Most connections that the service will hold to it. */
  readonly connections?: number;
  readonly say: (line: string) => void;
}

/** Where a cluster lives and how its account reaches it. */
interface Cluster {
  readonly directory: string;
  /** The directory as the account can name it. */
  readonly reachable: string;
  readonly user: ServiceUser | null;
  readonly binaries: PostgresBinaries;
}

/**
 * Starts PostgreSQL 18 on a loopback port of its own, creating the cluster, the roles and the database where they are
 * missing, after ending what a killed run may have left. The superuser is used here and nowhere else.
 *
 * @throws StartError
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { directory, durable, connections, say } = options;
  const data = join(directory, 'data');
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  const user = serviceUser(data);
  const binaries = postgresBinaries(user, directory);
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(directory, data, user, binaries, durable, say);
  const cluster = { directory: data, reachable: reachablePath('PostgreSQL', data, user), user, binaries };
  checkVersion(data);
  await endLeftoverPostgres(directory, say);

  const password = readFileSync(join(directory, 'password'), 'utf8').trim();
  const passwords = {
    owner: rememberedPassword(join(directory, 'owner-password')),
    service: rememberedPassword(join(directory, 'service-password')),
  };
  const port = await rememberedPort(join(directory, 'port'));
  const socket = await socketDirectory(data, port);
  own(join(data, 'postgresql.conf'), postgresSettings(port, durable, connections ?? 0, socket !== null), user);
  own(join(data, 'pg_hba.conf'), hostBasedAuthentication, user);

  const logFile = join(directory, 'postgresql.log');
  const steps = () => (existsSync(data) ? shutdown : shutdownWithoutFiles);
  const supervisor = new Supervisor('PostgreSQL', () => start(cluster, port, password, logFile, say), steps, say);
  await supervisor.run();
  try {
    await prepareDatabase(port, password, passwords, say);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    url: urlOf(serviceRole, passwords.service, port, socket),
    ownerUrl: urlOf(ownerRole, passwords.owner, port, socket),
    port,
    stop: () => supervisor.stop(),
  };
}

function initialise(
  directory: string,
  data: string,
  user: ServiceUser | null,
  binaries: PostgresBinaries,
  durable: boolean,
  say: (line: string) => void,
): void {
  say('Creating the database cluster (first start).');
  // Built aside and renamed: an interrupted first start leaves nothing that looks like a cluster.
  const building = join(directory, 'data.new');
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { mode: 0o700 });
  const passwordFile = join(directory, 'password');
  own(passwordFile, `${randomBytes(24).toString('base64url')}\n`, user);
  if (user !== null) chownSync(building, user.uid, user.gid);

  // Handed over open, because the account may not be able to walk to the file.
  const passwordFd = openSync(passwordFile, 'r');
  const args = [
    ...[
      '-D',
      reachablePath('PostgreSQL', building, user),
      '-U',
      superuser,
      '--pwfile=/dev/fd/3',
      '--auth=scram-sha-256',
    ],
    ...[
      '--encoding=UTF8',
      `--locale=${postgresEnvironment.LC_ALL}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    ...(durable ? [] : ['--no-sync']),
  ];
  const { status, stderr, error } = spawnSync(binaries.initdb, args, {
    ...(user ?? {}),
    cwd: building,
    env: postgresEnvironment,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', passwordFd],
  });
  closeSync(passwordFd);
  if (status !== 0) {
    const reason = error === undefined ? (stderr.trim().split('\n').at(-1) ?? '') : reasonOf(error);
    throw new StartError(
      `Creating the database cluster failed (${reason}); set DATA_DIR to another directory or DATABASE_URL.`,
    );
  }
  if (user !== null) {
    chownSync(passwordFile, 0, 0);
    chmodSync(passwordFile, 0o600);
  }
  renameSync(building, data);
}

function checkVersion(data: string): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found !== major) {
    throw new StartError(
      `${data} was made by PostgreSQL ${found}, this is ${major}; set DATA_DIR to another directory.`,
    );
  }
}

/**
 * A postmaster whose starter was killed still runs: it is ended properly, so that the next start begins like any other.
 *
 * @param directory as in `EmbeddedOptions`
 */
export async function endLeftoverPostgres(directory: string, say: (line: string) => void): Promise<void> {
  const data = join(directory, 'data');
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (Number.isInteger(pid) && pid > 1 && isAlive(pid) && commandLineOf(pid).includes(marker(data))) {
    say('Ending the PostgreSQL that an earlier run left behind.');
    await endProcess(pid, shutdown);
  }
  // Whatever has that number now is not our postmaster, but PostgreSQL itself could not tell.
  rmSync(file, { force: true });
  removeLeftSockets(data);
}

/** Stands in the command line, from which a later start recognises the process; PostgreSQL keeps it as a custom setting. */
function marker(data: string): string {
  return `helpdesk.cluster=${data}`;
}

async function start(
  cluster: Cluster,
  port: number,
  password: string,
  logFile: string,
  say: (line: string) => void,
): Promise<ChildProcess> {
  const plan = {
    program: cluster.binaries.postgres,
    args: ['-D', cluster.reachable, '-c', marker(cluster.directory)],
    cwd: cluster.directory,
    env: postgresEnvironment,
    user: cluster.user,
    logFile,
    answers: () => answers(port, password),
  };
  const deadline = Date.now() + 15_000;
  for (;;) {
    try {
      return await launch('PostgreSQL', plan, say);
    } catch (error) {
      // The sessions of a killed postmaster take a moment to notice; until then its shared memory is in use.
      const orphans = /shared memory block|postmaster\.pid/.test(reasonOf(error));
      if (!orphans || Date.now() > deadline) throw error;
    }
  }
}

async function answers(port: number, password: string): Promise<boolean> {
  const client = superuserClient(port, password);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (errorCode(error) === '28P01') {
      throw new StartError(
        'The embedded PostgreSQL refuses its own password; put back postgres/password in the data directory or set DATA_DIR to another.',
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function prepareDatabase(
  port: number,
  password: string,
  passwords: { owner: string; service: string },
  say: (line: string) => void,
): Promise<void> {
  await asSuperuser(port, password, 'postgres', (client) => setUpRoles(client, passwords));
  const moved = await asSuperuser(port, password, database, handOver);
  if (moved > 0) say(`The database is handed over to a role that is no superuser (${moved} objects).`);
}

async function asSuperuser<T>(
  port: number,
  password: string,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = superuserClient(port, password, name);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function own(file: string, content: string, user: ServiceUser | null): void {
  writeFileSync(file, content, { mode: 0o600 });
  if (user !== null) chownSync(file, user.uid, user.gid);
}
