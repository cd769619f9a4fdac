import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Category } from '../../src/areas/categories/category.entity';
import { categoryResource } from '../../src/areas/categories/category.resource';
import { Company } from '../../src/areas/companies/company.entity';
import { Ticket } from '../../src/areas/tickets/ticket.entity';
import { invalid } from '../../src/platform/errors/api-error';
import { type Hooks, ResourceHooks } from '../../src/platform/resource/hooks';
import type { Row, Values } from '../../src/platform/resource/rows';
import { Store } from '../../src/platform/resource/store';
import { InjectStore, StoreModule } from '../../src/platform/resource/store.module';
import { useOwnApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace } from '../support/workspace';

/** What an extension might do: complete and refuse tickets, and keep a category for every one that is urgent. */
@Injectable()
class TicketRules implements Hooks<Ticket>, OnModuleInit {
  constructor(
    private readonly hooks: ResourceHooks,
    @InjectStore(Category) private readonly categories: Store<Category>,
  ) {}

  onModuleInit(): void {
    this.hooks.on(Ticket, this);
    this.hooks.on<Company>('companies', { beforeCreate: (values) => ({ ...values, industry: 'Told by a hook' }) });
  }

  beforeCreate(values: Values<Ticket>): Values<Ticket> {
    if (values.subject === 'refuse') invalid('subject', 'refused', 'No ticket may say so.');
    return values.priority === 'urgent' ? { ...values, tags: 'vip' } : values;
  }

  beforeUpdate(before: Row<Ticket>, values: Values<Ticket>): Values<Ticket> {
    if (values.priority === 'low') invalid('priority', 'refused', `A ticket that was ${before.priority} stays so.`);
    return values.status === 'on_hold' ? { ...values, on_hold_reason: values.on_hold_reason ?? 'third_party' } : values;
  }

  beforeRemove(before: Row<Ticket>): void {
    if (before.tags === 'vip') invalid('id', 'in_use', 'It is dear to us.');
  }

  async afterCreate(after: Row<Ticket>): Promise<void> {
    if (after.priority === 'urgent') await this.note(`Urgent ${after.id}`);
    if (after.subject === 'fail late') invalid('subject', 'refused', 'Now it is too late.');
  }

  async afterUpdate(before: Row<Ticket>, after: Row<Ticket>): Promise<void> {
    const steps = after.version - before.version;
    if (before.subject !== after.subject) await this.note(`${before.subject} is ${after.subject} ${steps}`);
  }

  async afterRemove(before: Row<Ticket>): Promise<void> {
    await this.note(`Gone ${before.subject}`);
  }

  private async note(name: string): Promise<void> {
    await this.categories.insert({ name }, (values) => {
      values.slug = name.toLowerCase().replaceAll(' ', '-');
      return undefined;
    });
  }
}

@Module({ imports: [StoreModule.forFeature(categoryResource)], providers: [TicketRules] })
class TicketRulesModule {}

const server = useOwnApp({ role: 'api' }, { modules: [TicketRulesModule] });

describe('hooks on a resource of another area', () => {
  it('complete and refuse a new record, and write rows of their own in its transaction', async () => {
    const { api } = await makeWorkspace(server);
    const made = (await api.post('/tickets', { subject: 'Fire', priority: 'urgent' })).expect(201).data;
    expect(made.tags).toBe('vip');
    expect((await api.get('/categories?fields=name')).rows).toEqual([{ name: `Urgent ${made.id}` }]);

    const refused = (await api.post('/tickets', { subject: 'refuse' })).expect(422);
    expect(refused.body.error?.details).toEqual([
      { field: 'subject', code: 'refused', message: 'No ticket may say so.' },
    ]);
    (await api.post('/tickets', { subject: 'fail late', priority: 'urgent' })).expect(422);
    expect((await api.get('/tickets')).rows).toHaveLength(1);
    expect((await api.get('/categories')).rows).toHaveLength(1);
  });

  it('complete and refuse a change, in the same version and event; nothing is asked where nothing differs', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const { id } = (await api.post('/tickets', { subject: 'Slow' })).expect(201).data;
    (await api.patch(`/tickets/${id}`, { priority: 'low' })).expect(422);
    const held = (await api.patch(`/tickets/${id}`, { status: 'on_hold', subject: 'Slower' })).expect(200).data;
    expect(held).toMatchObject({ on_hold_reason: 'third_party', subject: 'Slower' });
    (await api.patch(`/tickets/${id}`, { subject: 'Slower' })).expect(200);
    expect((await api.get('/categories?fields=name')).rows).toEqual([{ name: 'Slow is Slower 1' }]);
    const updates = (await eventsOf(server, workspace, 'ticket', id)).filter(({ type }) => type === 'ticket.updated');
    expect(updates).toHaveLength(1);
    expect(updates[0]?.changes).toMatchObject({ on_hold_reason: { from: null, to: 'third_party' } });
  });

  it('refuse and follow a removal', async () => {
    const { api } = await makeWorkspace(server);
    const dear = (await api.post('/tickets', { subject: 'Dear', priority: 'urgent' })).expect(201).data;
    const plain = (await api.post('/tickets', { subject: 'Plain' })).expect(201).data;
    (await api.delete(`/tickets/${dear.id}`)).expect(422);
    (await api.delete(`/tickets/${plain.id}`)).expect(200);
    const names = (await api.get('/categories?fields=name&sort=name')).rows.map(({ name }) => name);
    expect(names).toEqual(['Gone Plain', `Urgent ${dear.id}`]);
  });

  it('run for the operations of a batch and for records that come about with others', async () => {
    const { api } = await makeWorkspace(server);
    const operations = [
      { op: 'create', ref: 'one', data: { subject: 'refuse' } },
      { op: 'create', ref: 'two', data: { subject: 'Batch', priority: 'urgent' } },
    ];
    (await api.post('/tickets/batch', { operations, mode: 'partial' })).expect(200);
    const [made] = (await api.get('/tickets?fields=id,tags')).rows;
    expect(made?.tags).toBe('vip');
    expect((await api.get('/categories')).rows).toHaveLength(1);
    const lead = (await api.post('/crm/leads', { name: 'Ann', email: 'ann@new.example', company_name: 'New' })).expect(
      201,
    ).data;
    (await api.post(`/crm/leads/${lead.id}/convert`, {})).expect(200);
    expect((await api.get('/companies?fields=industry')).rows).toEqual([{ industry: 'Told by a hook' }]);
  });
});

it('a hook on what is no resource is an error that lists what there is', () => {
  expect(() => {
    new ResourceHooks().on('vehicels', {});
  }).toThrow(/Hooks on "vehicels", which is no resource; there are .*\bassets, /);
});
