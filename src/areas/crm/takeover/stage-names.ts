import type { NameWithin } from '../../../platform/resource/takeover';
import type { DealStatus } from '../crm-values';

/** A stage, as far as others name it. */
export interface NamedStage {
  id: number;
  pipeline_id: number;
  /** In lower case. */
  name: string;
  type: DealStatus;
  is_default: boolean;
}

/** What other systems call the ends of a pipeline, in letters alone. */
const ENDS: Readonly<Record<'won' | 'lost', readonly string[]>> = {
  won: ['won', 'closedwon', 'gewonnen', 'abgeschlossengewonnen', 'win'],
  lost: ['lost', 'closedlost', 'verloren', 'abgeschlossenverloren', 'loss'],
};

/**
 * The stage that a source names: of its pipeline, where it says one; else of the default pipeline, else the only one that is called so.
 * The ends of a pipeline go by other names, too.
 *
 * @returns undefined where nobody knows
 */
export function stageNamed(stages: readonly NamedStage[], { name, within }: NameWithin): number | undefined {
  const here = within === null ? stages : stages.filter(({ pipeline_id }) => pipeline_id === within);
  const plain = name.toLowerCase();
  const letters = plain.normalize('NFKD').replaceAll(/[^\p{L}]/gu, '');
  const called = here.filter((stage) => stage.name === plain);
  const meant = called.length > 0 ? called : here.filter(({ type }) => type !== 'open' && ENDS[type].includes(letters));
  const [first, ...more] = meant;
  return (more.length === 0 ? first : meant.find(({ is_default }) => is_default))?.id;
}
