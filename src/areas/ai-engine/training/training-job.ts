/** Kind of the job that makes a model; its subject is the model. */
export const TRAINING_JOB = 'ai_training';

/** A model is not made again by itself before. */
export const AGAIN_AFTER = '20 hours';
