import { Injectable, Module } from '@nestjs/common';
import { actions } from '../../src/areas/automations/action-catalogue';
import { defineArea } from '../../src/platform/area/area';
import type { ActionExecutor, ActionPerformer } from '../../src/platform/area/rules';
import { api } from '../support/api';
import { startApp, useApp } from '../support/app';
import { areasOfRun } from '../support/areas';

const server = useApp();

@Injectable()
class Performer implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    { type: 'probe_guest', kind: 'direct', execute: () => Promise.resolve() },
  ];
}

@Module({ providers: [Performer] })
class GuestModule {}

const guest = defineArea({
  name: 'guest',
  module: GuestModule,
  actions: [{ type: 'probe_guest', label: 'Guest', kind: 'field' }],
  performers: [Performer],
});

/** Types of the actions that the process knows. */
const known = (): string[] => actions.map(({ type }) => type);

it('is made of the areas of the run again after an application with others', async () => {
  const before = known();
  const other = await startApp({ role: 'api' }, { areas: [...areasOfRun, guest] });
  expect(known()).toEqual([...before, 'probe_guest']);
  await other.close();
  expect(known()).toEqual(before);
  const document = await api(server.url).get('/openapi.json');
  expect(document.text).not.toContain('probe_guest');
});
