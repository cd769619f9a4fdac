import type { INestApplicationContext } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AttachmentsService } from '../../areas/attachments/attachments.service';
import { FileIntake } from '../../areas/attachments/intake/file-intake';
import { TicketsService } from '../../areas/tickets/tickets.service';
import { Database } from '../../platform/database/database';

/** A blue square of 32 by 32 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mPQiNpCU8QwasGoBaMWjFowasGoBaMWjFowasGoBaMWDBULABST2D1VcpApAAAAAElFTkSuQmCC',
  'base64',
);

const FILES = [
  { filename: 'display.png', type: 'image/png', content: PICTURE },
  {
    filename: 'printer.log',
    type: 'text/plain',
    content: Buffer.from('13:02 E51 paper jam in tray 2\n13:04 E51 cleared\n'),
  },
];

/** Files of the first ticket. */
export async function addDemoFiles(app: INestApplicationContext, workspaceId: number): Promise<void> {
  const attachment_ids: number[] = [];
  for (const { content, ...told } of FILES) {
    const file = await app.get(FileIntake).take(Readable.from([content]), told);
    attachment_ids.push(await app.get(AttachmentsService).keep(file, { is_inline: false, content_id: null }));
  }
  const [ticket] = await app
    .get(Database)
    .query<{ id: number }>(
      'SELECT id FROM tickets WHERE workspace_id = $1 AND merged_into_id IS NULL ORDER BY id LIMIT 1',
      [workspaceId],
    );
  if (ticket) await app.get(TicketsService).update(ticket.id, { attachment_ids });
}
