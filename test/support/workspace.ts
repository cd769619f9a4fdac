import { randomBytes } from 'node:crypto';
import { Plans } from '../../src/platform/auth/plans.service';
import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { type Scope, Tokens } from '../../src/platform/auth/tokens.service';
import { Api } from './api';
import type { TestApp } from './app';
import { keepUntilTheEnd } from './sandbox';

export interface WorkspaceOptions {
  /** Key of a plan; `enterprise` by default, so that no test meets a limit by accident. */
  plan?: string;
  kind?: 'developer' | 'tenant';
  scopes?: Scope[];
  /** Its clock can be moved. */
  sandbox?: boolean;
}

/** A workspace of a test's own, with tokens and clients. */
export interface TestWorkspace {
  id: number;
  slug: string;
  /** All scopes unless the options say otherwise. */
  token: string;
  tokenId: number;
  readToken: string;
  api: Api;
  readApi: Api;
}

/** Makes a workspace that nothing else uses. */
export async function makeWorkspace({ app, url }: TestApp, options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const { plan = 'enterprise', kind = 'developer', scopes = ['*'], sandbox = false } = options;
  const workspace = await app.get(Provisioning).createWorkspace({
    name: `Test ${randomBytes(6).toString('hex')}`,
    plan,
    kind,
    ...(sandbox ? { sandbox: 'empty' as const } : {}),
  });
  if (sandbox) keepUntilTheEnd(workspace.id);
  const tokens = app.get(Tokens);
  const { id: tokenId, token } = await tokens.create({ workspaceId: workspace.id, scopes });
  const { token: readToken } = await tokens.create({ workspaceId: workspace.id, scopes: ['read'] });
  return {
    id: workspace.id,
    slug: workspace.slug,
    token,
    tokenId,
    readToken,
    api: new Api(url, token),
    readApi: new Api(url, readToken),
  };
}

/** A plan with limits of the test's own; a limit of 0 means unlimited. Answers its key. */
export async function makePlan(
  { app }: TestApp,
  limits: { ratePerMinute?: number; monthlyQuota?: number; overage?: boolean },
): Promise<string> {
  const key = `test-${randomBytes(6).toString('hex')}`;
  const { ratePerMinute = 0, monthlyQuota = 0, overage = false } = limits;
  await app
    .get(Plans)
    .put({ key, rate_limit_per_minute: ratePerMinute, monthly_quota: monthlyQuota, overage_enabled: overage });
  return key;
}
