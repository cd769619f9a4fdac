import type { OpenAPIObject } from '@nestjs/swagger';
import { noticeOf } from 'helpdesk-api/areas/integrations/adapters/notice';
import { useApp } from 'helpdesk-api/testing/app';
import { eventsOf } from 'helpdesk-api/testing/event-log';
import { makeRule, runsOf, settledTicket } from 'helpdesk-api/testing/automations';
import { drained } from 'helpdesk-api/testing/jobs';
import { useReceiver } from 'helpdesk-api/testing/receiver';
import { found } from 'helpdesk-api/testing/search';
import { makeWorkspace } from 'helpdesk-api/testing/workspace';

const server = useApp();
const receiver = useReceiver();

describe('a vehicle', () => {
  it('has a mileage that only grows, and tells that it broke down, once', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const { id } = (await api.post('/vehicles', { plate: 'B-HD 1', mileage: 500 })).expect(201).data;
    (await api.patch(`/vehicles/${id}`, { mileage: 499 })).expect(422);
    (await api.patch(`/vehicles/${id}`, { status: 'broken' })).expect(200);
    (await api.patch(`/vehicles/${id}`, { status: 'broken' })).expect(200);
    const types = (await eventsOf(server, workspace, 'vehicle', id)).map(({ type }) => type);
    expect(types).toEqual(['vehicle.created', 'vehicle.updated', 'vehicle.broke_down']);
  });
});

describe('the vehicle of a ticket', () => {
  it('is told by the subject, written, filtered, expanded and embedded like any other reference', async () => {
    const { api } = await makeWorkspace(server);
    const vehicle = (await api.post('/vehicles', { plate: 'B-HD 2' })).expect(201).data;
    const ticket = (await api.post('/tickets', { subject: 'Flat tyre on b-hd 2' })).expect(201).data;
    await api.post('/tickets', { subject: 'Something else' });
    expect(ticket.vehicles_vehicle_id).toBe(vehicle.id);
    const found = await api.get(`/tickets?vehicles_vehicle_id=${vehicle.id}&fields=id,vehicles_vehicle_id`);
    expect(found.rows).toEqual([{ id: ticket.id, vehicles_vehicle_id: vehicle.id }]);
    const searched = await api.get(`/tickets?q=tyre&vehicles_vehicle_id=none`);
    expect(searched.expect(200).rows).toEqual([]);
    const shown = (await api.get(`/vehicles/${vehicle.id}?expand=tickets`)).data;
    expect(shown.tickets).toEqual([expect.objectContaining({ id: ticket.id })]);
    (await api.patch(`/tickets/${ticket.id}`, { vehicles_vehicle_id: 'x' })).expect(422);
    (await api.patch(`/tickets/${ticket.id}`, { vehicles_vehicle_id: 999_999 })).expect(422);
    const freed = (await api.patch(`/tickets/${ticket.id}`, { vehicles_vehicle_id: null })).expect(200).data;
    expect(freed.vehicles_vehicle_id).toBeNull();
  });

  it('is refused while it is broken, and free again once the ticket is resolved', async () => {
    const { api } = await makeWorkspace(server);
    const broken = (await api.post('/vehicles', { plate: 'B-HD 3', status: 'broken' })).expect(201).data;
    const driving = (await api.post('/vehicles', { plate: 'B-HD 4', status: 'on_the_road' })).expect(201).data;
    const { id } = (await api.post('/tickets', { subject: 'Help' })).expect(201).data;
    const refused = (await api.patch(`/tickets/${id}`, { vehicles_vehicle_id: broken.id })).expect(422);
    expect(refused.body.error?.message).toContain('B-HD 3 is broken');
    (await api.patch(`/tickets/${id}`, { vehicles_vehicle_id: driving.id })).expect(200);
    (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    expect((await api.get(`/vehicles/${driving.id}`)).data.status).toBe('free');
  });
});

describe('rules', () => {
  it('can send a vehicle, the free one with the least mileage', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    await api.post('/vehicles', { plate: 'B-HD 5', mileage: 9_000 });
    const least = (await api.post('/vehicles', { plate: 'B-HD 6', mileage: 1_000 })).expect(201).data;
    const rule = await makeRule(workspace, { actions: [{ type: 'send_vehicle' }] });
    const { id } = (await api.post('/tickets', { subject: 'Help' })).expect(201).data;
    const ticket = await settledTicket(server, workspace, id);
    expect(await runsOf(workspace, 'automations', rule.id)).toMatchObject([
      { status: 'executed', event: 'ticket.created', actions: [{ error: null }] },
    ]);
    expect(ticket.vehicles_vehicle_id).toBe(least.id);
    expect((await api.get(`/vehicles/${least.id}`)).data.status).toBe('on_the_road');
  });

  it('can wait for a vehicle that breaks down', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const conditions = { all: [{ field: 'mileage', operator: 'gt', value: 100 }] };
    await makeRule(workspace, { trigger: 'vehicle.broke_down', conditions, actions: [{ type: 'stop' }] });
    const { data } = (await api.get('/automations/definitions')).expect(200);
    expect(data.events).toContainEqual(expect.objectContaining({ event: 'vehicle.broke_down', object: 'vehicle' }));
    expect(data.actions).toContainEqual(expect.objectContaining({ type: 'send_vehicle', objects: ['ticket'] }));
  });
});

describe('the radio', () => {
  it('is told that a vehicle broke down, and its token stays secret', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const config = { url: receiver.at('/radio'), token: 'very-secret', channel: 7 };
    const installed = (await api.post('/integrations', { provider: 'vehicles_radio', config })).expect(201).data;
    expect(installed.events).toEqual(['vehicle.broke_down']);
    const { id } = (await api.post('/vehicles', { plate: 'B-HD 7' })).expect(201).data;
    (await api.patch(`/vehicles/${id}`, { status: 'broken' })).expect(200);
    await drained(server, workspace);
    const [request, ...more] = receiver.received('/radio');
    expect(more).toEqual([]);
    expect(request?.headers.authorization).toBe('Bearer very-secret');
    const said = { channel: 7, text: 'A vehicle broke down. B-HD 7', link: null, is_urgent: false };
    expect(JSON.parse(request?.body ?? '')).toEqual(said);
    const { body, rows } = (await api.get(`/integrations/${installed.id}/logs`)).expect(200);
    expect(rows).toMatchObject([{ event: 'vehicle.broke_down', status: 'success' }]);
    expect(JSON.stringify([body, installed])).not.toContain('very-secret');
  });
});

describe('messages', () => {
  it('call a vehicle by its plate, and lead to it', () => {
    const told = { uid: 'evt_1', type: 'vehicle.broke_down', object: 'vehicle', object_id: 3, workspace_id: 1 };
    const chain = { sequence_id: 'seq_1', position: 1, actor: { type: 'user', id: 1, name: 'Eve' }, causation: {} };
    const row = { changes: null, data: { plate: 'B-HD 7' }, related: null, created_at: '2026-10-20T08:00:00.123Z' };
    expect(noticeOf({ ...told, ...chain, ...row }, 'https://desk.example')).toMatchObject({
      title: 'B-HD 7',
      link: 'https://desk.example/v1/vehicles/3',
    });
  });
});

describe('the statistics', () => {
  it('count vehicles after what they count otherwise, in the answer and in the OpenAPI document', async () => {
    const { api } = await makeWorkspace(server);
    for (const plate of ['B-HD 9', 'B-HD 10']) (await api.post('/vehicles', { plate })).expect(201);
    const { resources } = (await api.get('/stats')).expect(200).data;
    expect(resources).toMatchObject({ vehicles: 2, companies: 0 });
    const { components } = (await (await fetch(`${server.url}/v1/openapi.json`)).json()) as OpenAPIObject;
    expect(components?.schemas?.Stats).toMatchObject({
      properties: { resources: { properties: { automations: {}, vehicles: { type: 'integer' } } } },
    });
  });
});

describe('the search', () => {
  it('finds vehicles of the workspace, the one with that plate first', async () => {
    const { api } = await makeWorkspace(server);
    const other = await makeWorkspace(server);
    await other.api.post('/vehicles', { plate: 'B-HD 8' });
    const exact = (await api.post('/vehicles', { plate: 'B-HD 8', model: 'Crafter' })).expect(201).data;
    const longer = (await api.post('/vehicles', { plate: 'B-HD 80', model: '100% electric' })).expect(201).data;
    const { data, meta } = await found(api, 'b-hd 8');
    expect(data.vehicles?.map(({ id, type, score }) => [id, type, score])).toEqual([
      [exact.id, 'vehicle', 1],
      [longer.id, 'vehicle', 0.5],
    ]);
    expect(data.vehicles?.[0]).toMatchObject({ title: 'B-HD 8', status: 'free', driver_id: null, mileage: 0 });
    expect(meta.totals).toMatchObject({ tickets: 0, vehicles: 2 });
    const percent = await found(api, '100%', '&types=vehicles');
    expect(percent.data).toEqual({ vehicles: [expect.objectContaining({ id: longer.id })] });
  });

  it('has its group of vehicles in the OpenAPI document', async () => {
    const { components } = (await (await fetch(`${server.url}/v1/openapi.json`)).json()) as OpenAPIObject;
    expect(components?.schemas?.SearchGroups).toMatchObject({
      properties: {
        tickets: { items: { $ref: '#/components/schemas/TicketHit' } },
        vehicles: { items: { $ref: '#/components/schemas/VehicleHit' } },
      },
    });
    expect(components?.schemas?.VehicleHit).toMatchObject({
      properties: { type: { enum: ['vehicle'] }, mileage: { type: 'integer' } },
    });
    expect(components?.schemas?.SearchMeta).toMatchObject({
      properties: { totals: { properties: { vehicles: { type: 'integer' } } } },
    });
  });
});
