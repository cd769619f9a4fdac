import type { Api, Fields } from './api';
import { until } from './until';

/** Trains the task, and answers the model that came of it. */
export async function train(api: Api, task = 'category'): Promise<Fields> {
  const [begun] = (await api.post('/ai-engine/train', { tasks: [task] })).expect(202).data.models as Fields[];
  let model: Fields = { id: begun?.id ?? 0 };
  await until('the model is made, or is not', async () => {
    model = (await api.get(`/ai-engine/models/${model.id}`)).expect(200).data;
    return model.status !== 'queued' && model.status !== 'training';
  });
  return model;
}

/** What is predicted of a ticket or a text. */
export async function predict(api: Api, body: object): Promise<Fields[]> {
  return (await api.post('/ai-engine/predict', body)).expect(200).data.predictions as Fields[];
}
