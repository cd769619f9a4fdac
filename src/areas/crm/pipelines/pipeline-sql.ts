import { resourceIfAny, selectList } from '../../../platform/resource/resource';

/** SQL of the stages of a pipeline, in order, each as its own route shows it. */
export function stagesOf(pipeline: string): string {
  const stages = resourceIfAny('stages');
  if (!stages) return `'[]'::json`;
  const names = stages.columns.map((column) => column.name);
  return `(SELECT coalesce(json_agg(row_to_json(e) ORDER BY e.position, e.id), '[]'::json) FROM (SELECT ${selectList(stages, names, 'g')} FROM stages g WHERE g.workspace_id = ${pipeline}.workspace_id AND g.pipeline_id = ${pipeline}.id) e)`;
}

const openDeals = (pipeline: string): string =>
  `FROM deals o WHERE o.workspace_id = ${pipeline}.workspace_id AND o.pipeline_id = ${pipeline}.id AND o.status = 'open'`;

/** SQL of the value of the open deals in the pipeline's own currency. */
export function openValue(pipeline: string): string {
  const currency = `coalesce(${pipeline}.currency, (SELECT w.currency FROM workspaces w WHERE w.id = ${pipeline}.workspace_id))`;
  return `(SELECT coalesce(sum(o.value), 0) ${openDeals(pipeline)} AND o.currency = ${currency})`;
}

/** SQL of the value of the open deals, by currency. */
export function openValues(pipeline: string): string {
  return `(SELECT coalesce(json_object_agg(v.currency, v.value ORDER BY v.currency), '{}'::json) FROM (SELECT o.currency, sum(o.value) AS value ${openDeals(pipeline)} GROUP BY o.currency) v)`;
}
