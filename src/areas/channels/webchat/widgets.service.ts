import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { invalid } from '../../../platform/errors/api-error';
import { PREFIX } from '../../../platform/http/openapi';
import { ServiceAddress } from '../../../platform/http/service-address';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { WebchatConfig } from '../adapters/webchat-channel';
import { Channel } from '../channel.entity';
import { ChannelsService } from '../channels.service';
import { CHAT_PATH, ChatDoor } from './chat-door';
import type { WidgetAnswer } from './chat.dto';
import { WIDGET_FILE } from './widget.controller';

/** Says how a chat gets onto a site. */
@Injectable()
export class Widgets {
  constructor(
    @InjectStore(Channel) private readonly records: Store<Channel>,
    private readonly channels: ChannelsService,
    private readonly door: ChatDoor,
    private readonly address: ServiceAddress,
  ) {}

  async of(id: number): Promise<WidgetAnswer> {
    const open = (await this.channels.open(id)) ?? this.records.missing(id);
    if (!(open.settings instanceof WebchatConfig)) invalid('id', 'invalid', 'Only a web chat has a widget.');
    const channel = this.door.tokenOf({ workspaceId: currentWorkspaceId(), id });
    const script_url = `${this.address.base()}${PREFIX}/${CHAT_PATH}/${WIDGET_FILE}`;
    const embed = `<script async src="${script_url}" data-channel="${channel}"></script>`;
    return { channel, script_url, embed, identity_secret_set: open.settings.identity_secret !== undefined };
  }
}
