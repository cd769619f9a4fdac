import { Inject, Injectable } from '@nestjs/common';
import { Tokens } from '../../../platform/auth/tokens.service';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { parseRanges } from '../../../platform/outbound/addresses';
import type { Change } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { changeMany, countOf } from '../../../platform/resource/many-changes';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { SecretBox } from '../../../platform/secrets/secret-box';
import { ownJson } from '../../../platform/text/json';
import { type Config, mergedConfig, redacted, secretPart, wholeConfig } from '../../integrations/integration-config';
import { requireGivable } from '../../users/user-rights';
import type { CreateConnection, UpdateConnection } from './connection.dto';
import { DirectoryConnection } from './connection.entity';
import { type ConnectionKind, KINDS } from './connection-kinds';
import { type RoleMapping, safetyOf } from './role-mapping';

const MAX_CONNECTIONS = 50;

/** Connections to directories: settings checked by their kind, secrets sealed; who maps groups gives no rights that they lack. */
@Injectable()
export class ConnectionsService {
  constructor(
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    @InjectWorkspaceRepository(DirectoryConnection)
    private readonly known: WorkspaceRepository<DirectoryConnection>,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly tokens: Tokens,
    @Inject(RUNTIME_CONFIG) private readonly runtime: Pick<RuntimeConfig, 'directoryAllowCidrs'>,
  ) {}

  create(body: CreateConnection): Promise<SingleResult> {
    return this.connections.holding(() => this.connections.create(body, (values) => this.complete(values, body)));
  }

  update(id: number, body: UpdateConnection, expected: ExpectedVersions): Promise<SingleResult> {
    return this.connections.update(id, body, expected, (before, values) => this.follow(before, values));
  }

  /** Its users stay as they are, and are nobody's but ours from then on. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.connections.remove(id, expected, async ({ type, token_id, former_token_id }) => {
      await changeMany(this.database, {
        resource: 'users',
        condition: (bind) =>
          `m.directory_user_id IN (SELECT d.id FROM directory_users d WHERE d.workspace_id = $1 AND d.connection_id = ${bind(id)})`,
        values: { source: 'local', directory_user_id: null },
        events: ['user.updated'],
        changes: { source: { from: kindOf(type).source, to: 'local' } },
      });
      // Worthless without the connection; that they are revoked is for whoever reads the list of tokens.
      const tokens = [token_id, former_token_id].flatMap((each) => each ?? []);
      this.database.afterCommit(async () => {
        for (const each of tokens) await this.tokens.revoke(each).catch(() => undefined);
      });
    });
  }

  /** The settings with their secrets. */
  configOf({ type, config, sealed }: Pick<DirectoryConnection, 'type' | 'config' | 'sealed'>): Config {
    return wholeConfig(kindOf(type), config, sealed === null ? {} : ownJson<Config>(this.secrets.open(sealed)));
  }

  private async complete(values: Values<DirectoryConnection>, body: CreateConnection): Promise<undefined> {
    requireWritable(values.status);
    const kept = await countOf(this.database, 'directory_connections', () => 'true');
    if (kept >= MAX_CONNECTIONS)
      invalid('name', 'max', `A workspace has at most ${MAX_CONNECTIONS} connections.`, { max: MAX_CONNECTIONS });
    const kind = kindOf(body.type);
    const config = this.checked(kind, {}, body.config ?? {});
    values.config = redacted(kind, config);
    values.sealed = this.seal(kind, config);
    values.safety = safetyOf(body.safety ?? {});
    await this.requireMappings(body.role_mappings ?? []);
    await this.schedule(kind, values, values.schedule_minutes ?? null);
  }

  private async follow(
    before: Row<DirectoryConnection>,
    values: Values<DirectoryConnection>,
  ): Promise<Change<DirectoryConnection>> {
    const kind = kindOf(before.type);
    const { status, config: asked, role_mappings: mappings, safety, schedule_minutes: minutes } = values;
    if (status !== undefined && status !== before.status) {
      requireWritable(status);
      // What went wrong before is forgotten.
      Object.assign(values, { failure_count: 0, last_error: null });
    }
    if (mappings) await this.requireMappings(mappings);
    if (safety) values.safety = safetyOf(safety);
    if (minutes !== undefined || status !== undefined)
      await this.schedule(kind, values, minutes === undefined ? before.schedule_minutes : minutes);
    if (asked === undefined) return { values };
    const config = this.configOf(before);
    const after = this.checked(kind, config, asked);
    const isSame = JSON.stringify(secretPart(kind, config)) === JSON.stringify(secretPart(kind, after));
    return {
      values: { ...values, config: redacted(kind, after), ...(isSame ? {} : { sealed: this.seal(kind, after) }) },
    };
  }

  /** Kinds that are not read have nothing to do by themselves. */
  private async schedule(
    kind: ConnectionKind,
    values: Values<DirectoryConnection>,
    minutes: number | null,
  ): Promise<void> {
    if (minutes !== null && !kind.reads)
      invalid('schedule_minutes', 'not_allowed', `A ${kind.name} directory is sent to us; there is nothing to read.`);
    values.next_sync_at = minutes === null ? null : await this.database.moment();
  }

  /** 422 for roles and teams that are not there, 403 for rights that the caller does not have. */
  private async requireMappings(mappings: readonly RoleMapping[]): Promise<void> {
    for (const [index, { role, role_id = null }] of mappings.entries())
      await requireGivable(this.database, { role, role_id, ticket_scope: 'all' }, `role_mappings[${index}].role_id`);
    const ids = [...new Set(mappings.flatMap(({ team_ids = [] }) => team_ids))];
    const known = await countOf(this.database, 'teams', (bind) => `m.id = ANY(${bind(ids)}::bigint[])`);
    if (known < ids.length)
      invalid('role_mappings', 'not_found', '"role_mappings" names a team that does not exist.', { team_ids: ids });
  }

  /** The settings after a change; 422 for those that make no sense. */
  private checked(kind: ConnectionKind, before: Config, asked: Config): Config {
    const config = mergedConfig(kind, before, asked, parseRanges(this.runtime.directoryAllowCidrs));
    const problem = kind.problem?.(config);
    if (problem) invalid(problem.field, 'invalid', problem.message);
    return config;
  }

  private seal(kind: ConnectionKind, config: Config): string | null {
    const secrets = secretPart(kind, config);
    return Object.keys(secrets).length > 0 ? this.secrets.seal(JSON.stringify(secrets)) : null;
  }

  /** Refuses (422) a connection that is not there, as a member of a body or of a query. */
  async requireKnown(id: number): Promise<Row<DirectoryConnection>> {
    const found = await this.database.transaction(() => this.connections.find(id));
    return found ?? invalid('connection_id', 'not_found', `"connection_id" names ${id}, which does not exist.`);
  }

  /** The only connection of the workspace, where none is named. */
  async onlyOne(): Promise<Row<DirectoryConnection>> {
    const rows = await this.known.find({ select: { id: true }, take: 2 });
    const [only, other] = rows;
    if (!only || other)
      invalid('connection_id', 'required', 'Say which connection: the workspace has none, or several.');
    return this.requireKnown(only.id);
  }
}

/** What the kind of a connection brings along. */
export function kindOf(type: DirectoryConnection['type']): ConnectionKind {
  return KINDS[type];
}

function requireWritable(status: DirectoryConnection['status'] = 'active'): void {
  if (status !== 'active' && status !== 'disabled')
    invalid('status', 'enum', `"status" can be set to active or disabled; ${status} is for the service to say.`, {
      allowed: ['active', 'disabled'],
    });
}
