import { Injectable } from '@nestjs/common';
import { classify } from '../model/classifier';
import { explain } from '../model/explain';
import type { SeenText } from '../model/seen-text';
import { LoadedModels, type ReadyModel } from '../models/loaded-models';
import type { LearntTask, Task } from '../tasks';
import { abstained, rounded } from './abstained';
import type { Corrections } from './correction';
import { isNamed, Labels } from './labels';
import type { NewPrediction } from './prediction.entity';
import { suggestedTags } from './suggested-tags';

/** Values that are looked up by name, and alternatives that are shown. */
const LOOKED_UP = 20;
const SHOWN = 3;
/** Values of a model whose names are looked up before it is known which of them are likely. */
const AHEAD = 100;

/** Names of values, by the id of the model that has them. */
export type Names = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** Predicts by the models that were made of the tickets of the workspace. */
@Injectable()
export class LearntPredictor {
  constructor(
    private readonly models: LoadedModels,
    private readonly labels: Labels,
  ) {}

  /** Names of all values of the models that are going to be asked, if these are those that were ready lately: looked up while that is found out. */
  async namesAhead(tasks: readonly Task[]): Promise<Names> {
    const wanted = this.models.lately().filter(({ model: { task }, classifier }) => {
      return tasks.includes(task) && isNamed(task) && classifier.classes.length <= AHEAD;
    });
    const names = wanted.map(async ({ model: { id, task }, classifier: { classes } }) => {
      return [id, await this.labels.of(task, classes)] as const;
    });
    return new Map(await Promise.all(names));
  }

  /**
   * As sure as the model is of itself; whether that is enough is told by what became of others that were as sure.
   *
   * @param threshold confidence below which it abstains
   * @param ahead names that are known already, as of now
   */
  async predict(
    task: LearntTask,
    text: SeenText,
    ready: readonly ReadyModel[],
    threshold: number,
    corrections: Corrections,
    ahead?: Names,
  ): Promise<NewPrediction> {
    const model = ready.find((each) => each.task === task);
    const classifier = model && (await this.models.classifier(model));
    if (!model || !classifier) return { ...abstained(task, 'none', null), abstain_reason: 'insufficient_data' };
    if (task === 'tags') return suggestedTags(classifier, text, model);
    const likely = classify(classifier, text).slice(0, LOOKED_UP);
    const values = likely.map(({ value }) => value);
    const names = ahead?.get(model.id) ?? (await this.labels.of(task, values));
    const there = likely.flatMap(({ value, confidence }) => {
      const label = names.get(value);
      return label === undefined ? [] : [{ value, label, confidence: rounded(confidence) }];
    });
    const [best, ...others] = there;
    const correction = corrections.of(task, model.method, model.id);
    if (!best || correction(best.confidence) < threshold)
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
