import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { current, runInContext } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { StreamResult } from '../../platform/http/results';
import { TableSlots } from '../../platform/http/table/table-slots';
import { CustomerFields } from '../../platform/resource/customer-fields';
import { type Asked, belongingsOf } from '../../platform/privacy/belongings';
import { ContactsService } from '../contacts/contacts.service';

/** Tells what a workspace keeps of a contact, as it is read: nothing but some records is held. */
@Injectable()
export class ContactExport {
  private readonly slots = new TableSlots();

  constructor(
    private readonly contacts: ContactsService,
    private readonly database: Database,
    private readonly fields: CustomerFields,
  ) {}

  /** @throws ApiError 404; 429, 503 when too many are under way */
  async of(contactId: number): Promise<StreamResult> {
    const { email } = await this.contacts.known(contactId);
    const context = current();
    const { workspaceId } = context;
    const asked: Asked = { workspaceId: workspaceId ?? 0, contactId, addresses: [email] };
    const within = <T>(work: () => Promise<T>): Promise<T> => runInContext(context, work);
    const visible = async (object: string): Promise<string[]> =>
      (await this.fields.visible(object)).map(({ key }) => key);
    const leave = this.slots.enter(asked.workspaceId);
    const body = Readable.from(lines(belongingsOf(this.database, asked, visible, within)), { objectMode: false });
    const headers = {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="contact-${contactId}.ndjson"`,
    };
    return new StreamResult(200, headers, body.once('close', leave));
  }
}

/** One line for each record: what kind, and the record. */
async function* lines(all: ReturnType<typeof belongingsOf>): AsyncGenerator<string> {
  for await (const some of all) {
    yield some.map(({ kind, json }) => `{"kind":${JSON.stringify(kind)},"record":${json}}\n`).join('');
    await nextTurn();
  }
}
