import { Inject, Injectable } from '@nestjs/common';
import { Not, Raw } from 'typeorm';
import { demandWholeSight } from '../../platform/context/demand';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../platform/context/runtime-config';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { fail, invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { ServiceAddress } from '../../platform/http/service-address';
import { type AddressRange, parseRanges } from '../../platform/outbound/addresses';
import { PREFIX } from '../../platform/http/openapi';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { currentWorkspaceId } from '../../platform/context/current';
import { PublicLinks } from '../../platform/secrets/public-links';
import { SecretBox } from '../../platform/secrets/secret-box';
import { ownJson } from '../../platform/text/json';
import { type Config, mergedConfig, redacted, secretPart, wholeConfig } from '../integrations/integration-config';
import { Mailboxes } from '../integrations/mail-in/mailboxes';
import type { ChannelAdapter, Outgoing } from './adapters/adapter';
import { adapterOf, AVAILABLE_TYPES } from './adapters/adapters';
import type { CreateChannel, InboundAddress, UpdateChannel } from './channel.dto';
import { Channel } from './channel.entity';
import type { ChannelType } from './channel-values';

const MAX_CHANNELS = 500;

/** Why somebody who sees some tickets only does not say where what is written leaves to. */
const WHOLE =
  'What is said about any ticket may pass through the channel; only those whose ticket scope is "all" may change its "config".';

/** Where links of channels lead: below the prefix, before the signed part. */
export const INBOUND_PATH = 'teams/inbound';
/** What the signed part is signed for. */
export const INBOUND_LINK = 'channels';

/** A channel with its secrets, for whoever does its work. */
export interface OpenChannel {
  channel: Channel;
  adapter: ChannelAdapter;
  /** Defaults filled in, secrets among them. */
  settings: object;
}

/** Channels: settings checked by their type, secrets sealed. */
@Injectable()
export class ChannelsService {
  private readonly allowed: readonly AddressRange[];

  constructor(
    @InjectStore(Channel) private readonly channels: Store<Channel>,
    @InjectWorkspaceRepository(Channel) private readonly stored: WorkspaceRepository<Channel>,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly links: PublicLinks,
    private readonly address: ServiceAddress,
    private readonly mailboxes: Mailboxes,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
  ) {
    this.allowed = parseRanges(config.webhookAllowCidrs);
  }

  create(body: CreateChannel): Promise<SingleResult> {
    return this.channels.holding(() => this.channels.create(body, (values) => this.complete(values, body)));
  }

  update(id: number, body: UpdateChannel, expected: ExpectedVersions): Promise<SingleResult> {
    return this.channels.update(id, body, expected, (before, values) => this.follow(before, values));
  }

  /** It stays to be read (decision 7); nothing comes or goes any more. */
  archive(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.channels.mutate(id, expected, ({ status }) =>
      status === 'archived' ? { values: {} } : { values: { status: 'archived' }, events: ['channel.archived'] },
    );
  }

  /** Where the other side posts to. */
  async inboundAddress(id: number): Promise<InboundAddress> {
    const { adapter } = (await this.open(id)) ?? this.channels.missing(id);
    if (!adapter.receive) invalid('id', 'invalid', `${adapter.name} channels take no requests.`);
    const token = this.links.token(INBOUND_LINK, { workspaceId: currentWorkspaceId(), id });
    return { url: `${this.address.base()}${PREFIX}/${INBOUND_PATH}/${token}` };
  }

  /** A channel that the caller sees, with its secrets; null when there is none. */
  async open(id: number): Promise<OpenChannel | null> {
    return this.database.transaction(async () => {
      if (!(await this.channels.find(id))) return null;
      const channel = await this.stored.findOneBy({ id });
      if (!channel) return null;
      const adapter = this.adapterFor(channel.type);
      return { channel, adapter, settings: Object.assign(new adapter.config(), this.wholeOf(adapter, channel)) };
    });
  }

  /** The same of one that messages may come or go through. @throws ApiError 404, or 409 while it is paused */
  async openActive(id: number): Promise<OpenChannel> {
    const open = (await this.open(id)) ?? this.channels.missing(id);
    const { status } = open.channel;
    if (status === 'archived') this.channels.missing(id);
    if (status === 'paused')
      fail('conflict', 'The channel is paused; try again later.', { headers: { 'Retry-After': '60' } });
    return open;
  }

  /** The other side refuses what is sent, for good. Inside a unit of work. */
  async failed(id: number, error: { code: string; message: string }): Promise<void> {
    await this.channels.mutate(id, null, ({ status }) =>
      status === 'active' ? { values: { status: 'error', last_error: error } } : { values: {} },
    );
  }

  private async complete(values: Values<Channel>, body: CreateChannel): Promise<undefined> {
    const adapter = adapterOf(body.type);
    if (!adapter)
      invalid('type', 'unavailable', `Channels of the type ${body.type} cannot be made yet.`, {
        allowed: AVAILABLE_TYPES,
      });
    requireSettable(body.status);
    const kept = await this.stored.countBy({});
    if (kept >= MAX_CHANNELS)
      invalid('type', 'max', `A workspace has at most ${MAX_CHANNELS} channels.`, { max: MAX_CHANNELS });
    const config = mergedConfig(adapter, {}, body.config ?? {}, this.allowed);
    requireAskable(adapter, values);
    await this.requireMailbox(null, adapter, config, values);
    values.config = redacted(adapter, config);
    values.sealed = this.seal(secretPart(adapter, config));
  }

  private async follow(before: Row<Channel>, values: Values<Channel>): Promise<Change<Channel>> {
    const { status, config: asked } = values;
    if (before.status === 'archived')
      invalid('id', 'archived', 'The channel was deleted; it can be read, and changed no more.');
    if (status !== undefined && status !== before.status) requireSettable(status);
    if (status === 'active') values.last_error = null;
    const adapter = this.adapterFor(before.type);
    requireAskable(adapter, values);
    const known = this.wholeOf(adapter, before);
    const after = asked === undefined ? known : mergedConfig(adapter, known, asked, this.allowed);
    await this.requireMailbox(before.id, adapter, after, values);
    if (asked === undefined) return { values };
    if (JSON.stringify(known) !== JSON.stringify(after)) demandWholeSight(WHOLE);
    const isSame = JSON.stringify(secretPart(adapter, known)) === JSON.stringify(secretPart(adapter, after));
    const sealed = isSame ? {} : { sealed: this.seal(secretPart(adapter, after)) };
    return { values: { ...values, config: redacted(adapter, after), ...sealed } };
  }

  /** A mailbox is of one channel, is read here, and answers by the words that mail has. */
  private async requireMailbox(
    id: number | null,
    { isMailed }: ChannelAdapter,
    { integration_id }: Config,
    values: Values<Channel>,
  ): Promise<void> {
    if (isMailed !== true) return;
    if (values.auto_reply?.enabled)
      invalid('auto_reply', 'not_allowed', 'Mail is answered at once by the setting `mail_ticket_received`.');
    const box = Number(integration_id);
    const address = await this.mailboxes.addressOf(box);
    if (address === null) invalid('config.integration_id', 'not_found', `There is no imap installation ${box}.`);
    const config = Raw((column) => `(${column} ->> 'integration_id')::bigint = :box`, { box });
    const [other] = await this.stored.find({ where: { type: 'email', status: Not('archived'), config }, take: 2 });
    if (other && other.id !== id)
      invalid('config.integration_id', 'in_use', `The mailbox is that of channel ${other.id}.`, { id: other.id });
    if (id === null) values.address ??= address;
  }

  private wholeOf(adapter: ChannelAdapter, { config, sealed }: Pick<Channel, 'config' | 'sealed'>): Config {
    return wholeConfig(adapter, config, sealed === null ? {} : ownJson<Config>(this.secrets.open(sealed)));
  }

  private seal(secrets: Config): string | null {
    return Object.keys(secrets).length ? this.secrets.seal(JSON.stringify(secrets)) : null;
  }

  private adapterFor(type: ChannelType): ChannelAdapter {
    const adapter = adapterOf(type);
    if (!adapter) throw new Error(`Nothing speaks ${type}.`);
    return adapter;
  }
}

/** Whether what is written can go anywhere: by its direction, and by its settings. */
export function canSend({ channel, adapter, settings }: OpenChannel): boolean {
  if (channel.direction === 'inbound') return false;
  if (adapter.isFetched === true || adapter.isMailed === true) return true;
  return (adapter.send?.(NOTHING, settings) ?? null) !== null;
}

/** What a message that is to leave is as soon as it is written. */
export function leavingStatus({ adapter }: Pick<OpenChannel, 'adapter'>): 'queued' | 'sent' {
  return adapter.isFetched === true ? 'sent' : 'queued';
}

/** A message that only asks where it would go. */
const NOTHING: Outgoing = {
  ...{ id: 0, channel_id: 0, thread_id: 0, conversation: '', to: '', to_name: null, body: '' },
  ...{
    files: [],
    metadata: {},
    template: null,
    is_personal_alone: false,
    in_reply_to: null,
    author_name: null,
    created_at: '1970-01-01T00:00:00.000Z',
  },
};

function requireSettable(status: Channel['status'] = 'active'): void {
  if (status !== 'active' && status !== 'paused')
    invalid('status', 'enum', `"status" can be set to active or paused; ${status} is for the service to say.`, {
      allowed: ['active', 'paused'],
    });
}

/** Who works here is asked nothing, and mail is asked by mail. */
function requireAskable({ name, isOutside, isMailed }: ChannelAdapter, { csat_enabled }: Values<Channel>): void {
  if (csat_enabled === true && (!isOutside || isMailed === true))
    invalid(
      'csat_enabled',
      'not_taken',
      `${name} channels ask for no ratings; mail does by "csat_request" of the workspace.`,
    );
}
