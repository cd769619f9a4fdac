/** Kind of the job that makes a model; its subject is the model. */
export const TRAINING_JOB = 'ai_training';
