import { Injectable } from '@nestjs/common';
import { current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { fail } from '../../../platform/errors/api-error';
import { FileResult } from '../../../platform/http/results';
import { ServiceAddress } from '../../../platform/http/service-address';
import { canonical } from '../../../platform/text/json';
import { DirectoryConnection } from '../connections/connection.entity';
import { RunsService } from '../runs/runs.service';
import { type Content, contentOf } from './protocol/content';
import { SCIM_MEDIA_TYPE } from './protocol/fault';
import { refuseUnknown } from './protocol/list-answer';
import { operationsOf, patched } from './protocol/patch';
import { Projection } from './protocol/projection';
import { GROUPS, type ResourceType } from './protocol/schema';
import { type ListQuestion, ScimLists } from './scim-lists';
import { ScimMembers } from './scim-members';
import type { Versions } from './scim-request';
import { locationOf, tagOf } from './scim-shown';
import { ScimStore, type Stored } from './scim-store';

export const SCIM_PATH = 'scim/v2';

type Body = Readonly<Record<string, unknown>>;

/**
 * The SCIM 2.0 server of connections of the kind `scim` (RFC 7644): what clients tell is kept as they told it, and each change is
 * taken by the next run of the connection, by the rules of all directories. The connection is that of the token.
 */
@Injectable()
export class ScimService {
  constructor(
    @InjectWorkspaceRepository(DirectoryConnection)
    private readonly connections: WorkspaceRepository<DirectoryConnection>,
    private readonly store: ScimStore,
    private readonly members: ScimMembers,
    private readonly lists: ScimLists,
    private readonly runs: RunsService,
    private readonly address: ServiceAddress,
    private readonly database: Database,
  ) {}

  /** Where clients find everything: `https://desk.example/v1/scim/v2`. */
  base(): string {
    return `${this.address.base()}/v1/${SCIM_PATH}`;
  }

  /** For what is the same for all connections; 403 for tokens of none. */
  async document(make: (base: string) => object): Promise<FileResult> {
    await this.database.transaction(() => this.connection());
    return answer(make(this.base()));
  }

  list(type: ResourceType, question: ListQuestion): Promise<FileResult> {
    return this.database.transaction(async () => {
      const { id } = await this.connection();
      return answer(await this.lists.list(this.base(), type, id, question));
    });
  }

  read(type: ResourceType, id: string, question: ListQuestion): Promise<FileResult> {
    return this.database.transaction(async () => {
      const connection = await this.connection();
      const stored = (await this.store.find(type, connection.id, id)) ?? refuseUnknown(type.name, id);
      return this.one(type, stored, question);
    });
  }

  create(type: ResourceType, body: Body, question: ListQuestion): Promise<FileResult> {
    const { members, ...content } = contentOf(type, body);
    return this.changing(async ({ id }) => {
      const stored = await this.store.insert(type, id, content);
      if (type === GROUPS) await this.members.set(stored.id, this.members.idsOf(members));
      return this.one(type, stored, question, true);
    });
  }

  /** What is not said any more is gone (RFC 7644, section 3.5.1). */
  replace(type: ResourceType, id: string, body: Body, expected: Versions, question: ListQuestion): Promise<FileResult> {
    const { members, ...content } = contentOf(type, body);
    return this.changing(async (connection) => {
      const before = await this.lock(type, connection.id, id, expected);
      const isOther = type === GROUPS && (await this.members.set(id, this.members.idsOf(members)));
      return this.one(type, await this.written(type, connection.id, before, content, isOther), question);
    });
  }

  /** Groups answer nothing unless something is asked for: their members may be many. */
  patch(type: ResourceType, id: string, body: Body, expected: Versions, question: ListQuestion): Promise<FileResult> {
    const operations = operationsOf(type, body);
    return this.changing(async (connection) => {
      const before = await this.lock(type, connection.id, id, expected);
      let content = before.content;
      let isOther = false;
      for (const operation of operations) {
        const isOfMembers = type === GROUPS && operation.target.attribute.name === 'members';
        if (!isOfMembers) content = patched(content, operation);
        else if (await this.members.patch(id, operation)) isOther = true;
      }
      const after = await this.written(type, connection.id, before, contentOf(type, content), isOther);
      const isAsked = new Projection(type, question.attributes, question.excludedAttributes).isAsked;
      if (type === GROUPS && !isAsked)
        return new FileResult(SCIM_MEDIA_TYPE, '', null, { status: 204, headers: { etag: tagOf(after.version) } });
      return this.one(type, after, question);
    });
  }

  /** They are gone in the directory: whoever they are here loses access, but for the last owner. */
  remove(type: ResourceType, id: string, expected: Versions): Promise<FileResult> {
    return this.changing(async (connection) => {
      await this.store.remove(await this.lock(type, connection.id, id, expected));
      return new FileResult(SCIM_MEDIA_TYPE, '', null, { status: 204 });
    });
  }

  /** One unit of work: the change, and the run that takes it unless one is under way, which then begins another. */
  private changing(work: (connection: DirectoryConnection) => Promise<FileResult>): Promise<FileResult> {
    return this.database.transaction(async () => {
      const connection = await this.connection();
      const result = await work(connection);
      // Where somebody has to look first, nothing begins by itself.
      if (connection.status !== 'quarantined')
        await this.runs.begin(connection, { mode: 'delta', trigger: 'push' }, true);
      return result;
    });
  }

  private async connection(): Promise<DirectoryConnection> {
    const token_id = current().access?.token.id;
    const connection =
      token_id === undefined ? null : await this.connections.findOneBy([{ token_id }, { former_token_id: token_id }]);
    if (!connection) fail('insufficient_scope', 'This token belongs to no SCIM connection.');
    if (connection.status === 'disabled') fail('insufficient_scope', 'The connection is disabled.');
    return connection;
  }

  private async lock(type: ResourceType, connectionId: number, id: string, expected: Versions): Promise<Stored> {
    const stored = (await this.store.find(type, connectionId, id, true)) ?? refuseUnknown(type.name, id);
    if (expected && !expected.includes(stored.version))
      fail('precondition_failed', `It has changed: its version is ${tagOf(stored.version)}.`);
    return stored;
  }

  /** What changes nothing is no version. */
  private async written(
    type: ResourceType,
    connectionId: number,
    before: Stored,
    content: Content,
    isOther: boolean,
  ): Promise<Stored> {
    if (!isOther && canonical(before.content) === canonical(content)) return before;
    return this.store.write(type, connectionId, before, content);
  }

  private async one(type: ResourceType, stored: Stored, question: ListQuestion, isNew = false): Promise<FileResult> {
    const projection = new Projection(type, question.attributes, question.excludedAttributes);
    const [resource] = await this.lists.show(this.base(), type, [stored], projection);
    return new FileResult(SCIM_MEDIA_TYPE, JSON.stringify(resource), null, {
      etag: tagOf(stored.version),
      ...(isNew ? { status: 201, headers: { location: locationOf(this.base(), type, stored.id) } } : {}),
    });
  }
}

function answer(body: object): FileResult {
  return new FileResult(SCIM_MEDIA_TYPE, JSON.stringify(body), null, { status: 200 });
}
