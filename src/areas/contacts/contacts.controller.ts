import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ContactMerge } from './contact-merge';
import { CreateContact, MergeContact, UpdateContact } from './contact.dto';
import { Contact } from './contact.entity';
import { contactResource } from './contact.resource';
import { ContactsService } from './contacts.service';

@ApiTags('Contacts')
@Controller('contacts')
export class ContactsController {
  constructor(
    @InjectStore(Contact) private readonly records: Store<Contact>,
    private readonly contacts: ContactsService,
    private readonly merging: ContactMerge,
  ) {}

  @ListRoute(contactResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(contactResource)
  create(@Body() body: CreateContact): Promise<SingleResult> {
    return this.contacts.create(body);
  }

  @ReadRoute(contactResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(contactResource)
  update(@Id() id: number, @Body() body: UpdateContact, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.contacts.update(id, body, expected);
  }

  @ActionRoute(contactResource, ':id/merge', {
    summary: 'Merge a contact into another',
    description:
      'Tickets, deals, quotes, meetings and whatever else names the one names the other from then on; what the other does not say it takes over; the first one is deleted. Answers the one that stays. Mail from the address of the one that goes makes a new contact.',
  })
  merge(@Id() id: number, @Body() body: MergeContact, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.merging.merge(id, body.into_id, expected);
  }

  @DeleteRoute(contactResource, { description: "The contact's tickets stay, with the requester's address and name." })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
