import { AnyMember, IntegerMember, ListMember, NumberMember } from '../../../platform/http/answer-members';
import type { Bin, Rate } from './task-metrics';

const share = { minimum: 0, maximum: 1, nullable: true };

/** A share, with what it is made of. */
export class AiRate implements Rate {
  @NumberMember({ ...share, description: 'null of nothing.' })
  value: number | null;

  @IntegerMember({ minimum: 0 })
  numerator: number;

  @IntegerMember({ minimum: 0 })
  denominator: number;
}

class AiCalibrationBin implements Bin {
  @NumberMember({ description: 'From this confidence, for a tenth.' })
  bin: number;

  @NumberMember({ ...share, description: 'Mean confidence.' })
  predicted: number | null;

  @NumberMember({ ...share, description: 'Share that was right.' })
  observed: number | null;

  @IntegerMember({ minimum: 0 })
  n: number;
}

/** How sure it was, and how right that was. */
export class AiConfidence {
  @NumberMember(share)
  mean: number | null;

  @AnyMember(
    { type: 'array', items: { type: 'integer', minimum: 0 } },
    { description: 'Predictions by tenths of confidence.' },
  )
  distribution: number[];

  @ListMember(() => AiCalibrationBin)
  calibration: Bin[];

  @NumberMember({ ...share, description: 'Expected calibration error.' })
  ece: number | null;
}
