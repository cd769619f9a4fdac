import type { INestApplicationContext } from '@nestjs/common';
import { ExportsService } from '../../areas/exports/exports.service';
import { ExportWriter } from '../../areas/exports/export-writer';

/** An archive of customers and their people, made on the spot. */
export async function addDemoExport(app: INestApplicationContext): Promise<void> {
  const { id } = await app.get(ExportsService).createKnown({ resources: ['companies', 'contacts'] });
  const writer = app.get(ExportWriter);
  await writer.begin(id);
  while (await writer.piece(id));
}
