import type { Action, Result } from '../engine/plan';
import type { Counts } from './run.entity';

const NAMES: Readonly<Record<Action, keyof Counts>> = {
  create: 'created',
  update: 'updated',
  disable: 'disabled',
  enable: 'enabled',
  delete: 'deleted',
  link: 'linked',
  unlink: 'updated',
  none: 'skipped',
};

/** What comes of people: those that fail or are skipped count as that, whatever was to be done. Groups are not counted. */
export function countsOf(changes: readonly { object: string; action: Action; result: Result; n?: number }[]): Counts {
  const counts: Counts = {};
  for (const { object, action, result, n = 1 } of changes) {
    if (object === 'group') continue;
    const name =
      result === 'failure'
        ? 'failed'
        : result === 'warning'
          ? 'warnings'
          : result === 'skipped'
            ? 'skipped'
            : NAMES[action];
    counts[name] = (counts[name] ?? 0) + n;
  }
  return counts;
}
