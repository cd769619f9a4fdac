import type { Database } from '../../../platform/database/database';
import { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { changeMany } from '../../../platform/resource/many-changes';
import { Stage } from './stage.entity';

/** Place of a stage among the stages of its pipeline. */
export interface StagePlace {
  id: number;
  position: number;
  type: string;
  probability: number;
}

/** The stages of a pipeline in order. Inside a unit of work that holds the pipelines. */
export function stagePlaces(database: Database, pipelineId: number): Promise<StagePlace[]> {
  const select = { id: true, position: true, type: true, probability: true } as const;
  const order = { position: 'ASC', id: 'ASC' } as const;
  return new WorkspaceRepository(database, Stage).find({ select, where: { pipeline_id: pipelineId }, order });
}

/** Gives the stages the positions of their order, those that differ with an event each. Answers how many differed. */
export async function arrangeStages(
  database: Database,
  present: readonly StagePlace[],
  order: readonly (number | null)[],
): Promise<number> {
  let moved = 0;
  for (const { id, position } of present) {
    const place = order.indexOf(id) + 1;
    if (place === 0 || place === position) continue;
    moved += await changeMany(database, {
      resource: 'stages',
      condition: (bind) => `m.id = ${bind(id)} AND m.position = ${bind(position)}`,
      values: { position: place },
      events: ['stage.updated'],
      changes: { position: { from: position, to: place } },
    });
  }
  return moved;
}
