import { seeded } from '../../src/areas/ai-engine/model/random';

const SUBJECTS = [
  ['printer', 'paper', 'jam', 'toner', 'stripes', 'tray', 'prints', 'cartridge'],
  ['password', 'login', 'account', 'locked', 'reset', 'expired', 'access', 'signin'],
  ['invoice', 'payment', 'amount', 'refund', 'billing', 'charged', 'tax', 'receipt'],
];
const FILLERS = [
  'please',
  'help',
  'since',
  'yesterday',
  'the',
  'my',
  'is',
  'again',
  'team',
  'office',
  'cannot',
  'urgent',
];

/** Short texts about one of three subjects, in turns: of each which one. The same for the same seed. */
export function deskTexts(count: number, seed = 1): { texts: string[]; labels: Int32Array } {
  const random = seeded(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const text = (label: number): string =>
    Array.from({ length: 8 }, (_, at) => pick(at % 2 ? FILLERS : (SUBJECTS[label] ?? []))).join(' ');
  const labels = Int32Array.from({ length: count }, (_, at) => at % 3);
  return { texts: Array.from(labels, text), labels };
}
