import { openSession } from '../../../src/cli/session';

/** A workspace to work in, with a token that no limit stops. */
export interface GateWorkspace {
  id: number;
  token: string;
}

const PLAN = {
  key: 'gate',
  rate_limit_per_minute: 10_000_000,
  monthly_quota: 1_000_000_000_000,
  overage_enabled: true,
};

/** Makes workspaces by the code behind the `helpdesk` command. */
export function createWorkspaces(databaseUrl: string, dataDir: string, count: number): Promise<GateWorkspace[]> {
  return openSession({ dataDir }, databaseUrl, async ({ plans, provisioning, tokens }) => {
    await plans.put(PLAN);
    const made: GateWorkspace[] = [];
    for (let n = 0; n < count; n++) {
      const { id } = await provisioning.createWorkspace({ name: `Gate ${n} ${Date.now()}`, plan: PLAN.key });
      const { token } = await tokens.create({ workspaceId: id, scopes: ['*'], name: 'Gate' });
      made.push({ id, token });
    }
    return made;
  });
}
