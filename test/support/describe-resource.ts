import { useApp } from './app';
import { describeAccess } from './contract/access';
import { describeChanging } from './contract/changing';
import { describeCreating } from './contract/creating';
import { describeListing } from './contract/listing';
import { describeSelecting } from './contract/selecting';
import { type Place, type ResourceContract, type Subject, nextSerial, restartSerials } from './contract/subject';
import { useSql } from './sql';
import { makeWorkspace } from './workspace';

/**
 * Runs everything that a resource promises by being declared: access, shapes, refusals, uniqueness, idempotency, field
 * selection, relations, preconditions, paging, links, every sort, every filter, deletion, events.
 */
export function describeResource(contract: ResourceContract): void {
  const { name } = contract.resource;

  describe(`the resource ${name}`, () => {
    const server = useApp();
    const subject = { contract, server, sql: useSql() } as unknown as Subject;

    beforeAll(async () => {
      restartSerials();
      const [home, foreign] = [await makePlace(), await makePlace()];
      const body = contract.create(nextSerial(), foreign.made);
      const foreignRecord = (await foreign.api.post(foreign.path, body)).expect(201).data;
      Object.assign(subject, { home, foreign, foreignRecord });
    });

    async function makePlace(): Promise<Place> {
      const workspace = await makeWorkspace(server);
      const made = (await contract.prepare?.(workspace.api)) ?? {};
      return { ...workspace, made, path: contract.path(made) };
    }

    describe('listing', () => {
      describeListing(subject);
    });
    describe('access', () => {
      describeAccess(subject);
    });
    describe('creating', () => {
      describeCreating(subject);
    });
    describe('changing', () => {
      describeChanging(subject);
    });
    describe('selecting', () => {
      describeSelecting(subject);
    });
  });
}
