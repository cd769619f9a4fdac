import { Injectable } from '@nestjs/common';
import { classify } from '../model/classifier';
import { explain } from '../model/explain';
import { LoadedModels, type ReadyModel } from '../models/loaded-models';
import type { LearntTask } from '../tasks';
import { abstained, rounded } from './abstained';
import { Labels } from './labels';
import type { NewPrediction } from './prediction.entity';
import { suggestedTags } from './suggested-tags';

/** Values that are looked up by name, and alternatives that are shown. */
const LOOKED_UP = 20;
const SHOWN = 3;

/** Predicts by the models that were made of the tickets of the workspace. */
@Injectable()
export class LearntPredictor {
  constructor(
    private readonly models: LoadedModels,
    private readonly labels: Labels,
  ) {}

  /** @param threshold confidence below which it abstains */
  async predict(
    task: LearntTask,
    text: string,
    ready: readonly ReadyModel[],
    threshold: number,
  ): Promise<NewPrediction> {
    const model = ready.find((each) => each.task === task);
    const classifier = model && (await this.models.classifier(model));
    if (!model || !classifier) return { ...abstained(task, 'none', null), abstain_reason: 'insufficient_data' };
    if (task === 'tags') return suggestedTags(classifier, text, model);
    const likely = classify(classifier, text).slice(0, LOOKED_UP);
    const names = await this.labels.of(
      task,
      likely.map(({ value }) => value),
    );
    const there = likely.flatMap(({ value, confidence }) => {
      const label = names.get(value);
      return label === undefined ? [] : [{ value, label, confidence: rounded(confidence) }];
    });
    const [best, ...others] = there;
    if (!best || best.confidence < threshold)
      return {
        ...abstained(task, model.method, model.id),
        confidence: best?.confidence ?? null,
        alternatives: there.slice(0, SHOWN),
        abstain_reason: 'low_confidence',
      };
    return {
      task,
      ...best,
      alternatives: others.slice(0, SHOWN),
      features: explain(classifier, text, best.value),
      method: model.method,
      model_id: model.id,
      abstain_reason: null,
    };
  }
}
