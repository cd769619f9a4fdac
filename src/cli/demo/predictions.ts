import type { INestApplicationContext } from '@nestjs/common';
import { PredictionsService } from '../../areas/ai-engine/predictions/predictions.service';
import { Training } from '../../areas/ai-engine/training/training.service';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';

const TICKETS = 5;

/**
 * Has the AI engine look at some tickets of a new demo workspace: what it says is what it found, and where it has learnt too
 * little it says that. Its models are trained once workers are there. Inside a unit of work of the workspace.
 */
export async function addDemoPredictions(app: INestApplicationContext): Promise<void> {
  const tickets = await app
    .get(Database)
    .query<{ id: number }>(`SELECT id FROM tickets WHERE workspace_id = $1 ORDER BY id LIMIT ${TICKETS}`, [
      currentWorkspaceId(),
    ]);
  const predictions = app.get(PredictionsService);
  for (const { id } of tickets) {
    await predictions.predict({ ticket_id: id, tasks: ['language', 'sentiment'] });
    await predictions.predict({ ticket_id: id });
  }
  await app.get(Training).start();
}
