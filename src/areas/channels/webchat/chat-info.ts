import { Injectable } from '@nestjs/common';
import { Brands } from '../../../platform/brand/brands';
import { type Palette, paletteOf } from '../../../platform/brand/colour';
import { Database } from '../../../platform/database/database';
import type { Asked } from '../adapters/webchat-channel';
import { canSend } from '../channels.service';
import { isOpenNow } from '../open-hours';
import type { OpenChat } from './chat-door';
import { MAX_SAID } from './chat.dto';
import { MAX_FILE } from './visitor-files';

/** What the widget needs to know before anybody writes. */
export interface ChatInfo {
  name: string;
  heading: string;
  greeting: string | null;
  /** BCP 47 tag of the workspace. */
  locale: string;
  colors: Pick<Palette, 'accent' | 'onAccent'>;
  /** Somebody is there by the hours of the channel. */
  is_open: boolean;
  /** What is answered at once while nobody is. */
  outside_hours_message: string | null;
  ask: { name: Asked; email: Asked };
  identified_only: boolean;
  /** The AI engine answers, until people have the chat. */
  has_assistant: boolean;
  attachments: { max_bytes: number } | null;
  max_length: number;
}

/** Tells what a chat looks like, in the name and the colours of its workspace. */
@Injectable()
export class ChatInfos {
  constructor(
    private readonly database: Database,
    private readonly brands: Brands,
  ) {}

  async of(chat: OpenChat): Promise<ChatInfo> {
    const { settings, channel } = chat;
    const { name, color, locale } = await this.brands.current();
    const { accent, onAccent } = paletteOf(color);
    const { auto_reply: reply } = channel;
    const outside = reply?.enabled && canSend(chat) ? (reply.outside_hours_message ?? null) : null;
    return {
      name,
      heading: settings.heading ?? name,
      greeting: settings.greeting ?? null,
      locale,
      colors: { accent, onAccent },
      is_open: await this.database.transaction(() => isOpenNow(this.database, channel)),
      outside_hours_message: outside,
      ask: { name: settings.ask_name, email: settings.ask_email },
      identified_only: settings.identified_only,
      has_assistant: settings.ai === 'auto',
      attachments: settings.attachments ? { max_bytes: MAX_FILE } : null,
      max_length: MAX_SAID,
    };
  }
}
