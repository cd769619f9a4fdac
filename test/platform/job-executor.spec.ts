import { JobExecutor } from '../../src/platform/queue/job-executor';

it('gives back a job whose claim arrives while the node stops, and does not begin it', async () => {
  const ref = { workspace_id: 1, id: 2 };
  let answer: (job: object) => void = () => undefined;
  const claims = {
    claim: jest.fn().mockReturnValue(new Promise((resolve) => (answer = resolve))),
    release: jest.fn().mockResolvedValue(undefined),
  };
  const handlers = { of: jest.fn() };
  const executor = new JobExecutor({} as never, handlers as never, claims as never);
  const ends = Promise.all([executor.execute(ref), executor.stop(60_000)]);
  answer({ ...ref, kind: 'probe', epoch: 3 });
  await ends;
  expect(handlers.of).not.toHaveBeenCalled();
  expect(claims.release).toHaveBeenCalledWith([{ ...ref, kind: 'probe', epoch: 3 }]);
});
