import 'reflect-metadata';
import { plainToInstance, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  Validate,
  ValidateIf,
  ValidateNested,
  validateSync,
  type ValidationError,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import fc from 'fast-check';
import type { ErrorDetail } from '../../src/platform/errors/api-error';
import { findInClass } from '../../src/platform/validation/class-check';

@ValidatorConstraint({ name: 'isEven' })
class IsEven implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'number' && value % 2 === 0;
  }

  defaultMessage(): string {
    return '$property is odd, $target says so';
  }
}

class Base {
  @IsString()
  @MaxLength(5)
  inherited: string;
}

class Part {
  @IsInt()
  @Min(1, { message: 'not $value, but $constraint1 or more' })
  size: number;
}

/** Every way in which a rule can stand on a member. */
class Whole extends Base {
  @IsDefined()
  @IsBoolean()
  flag: boolean;

  @IsIn(['a', 'b'], { each: true })
  @ArrayMaxSize(2)
  tags: string[];

  @Validate(IsEven)
  even: number;

  @ValidateIf((whole: Whole) => whole.flag)
  @IsEmail()
  mail: string;

  @IsOptional()
  @IsInt()
  maybe?: number | null;

  @IsString({ validateIf: (_, value) => value !== 7 })
  seven: unknown;

  @Matches(/x/, { message: ({ property }) => `${property} has no x` })
  text: string;

  @ValidateNested({ each: true })
  @Type(() => Part)
  parts: Part[];

  @ValidateNested()
  @Type(() => Part)
  part: Part;

  @Allow()
  any: unknown;
}

const OPTIONS = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };

/** What class-validator itself finds: the members and all that it says of each. */
function told(errors: readonly ValidationError[], parent = ''): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { property, constraints, children = [] } of errors) {
    if (constraints) found.set(parent + property, Object.values(constraints));
    for (const [field, messages] of told(children, `${parent}${property}.`)) found.set(field, messages);
  }
  return found;
}

describe('the engine of validation', () => {
  it('finds the members that class-validator finds, and says of each a thing that it says', () => {
    const value = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom<unknown>(true, 'a', 'x@y.example', 7, 8, null, [], ['a'], ['a', 'c', 'b'], {}),
      },
      fc.constantFrom<unknown>({ size: 1 }, { size: 0 }, [{ size: 2 }, { size: 'x', zzz: 1 }], [{}]),
      fc.dictionary(fc.constantFrom('size', 'zzz'), fc.oneof(fc.integer(), fc.string())),
      fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null))),
    );
    const names = [
      'inherited',
      'flag',
      'tags',
      'even',
      'mail',
      'maybe',
      'seven',
      'text',
      'parts',
      'part',
      'any',
      'zzz',
    ];
    const body = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(body, (given) => {
        const whole = plainToInstance(Whole, given);
        const found: ErrorDetail[] = [];
        findInClass(whole, Whole, '', found);
        const expected = told(validateSync(whole, OPTIONS));
        expect(found.map(({ field }) => field).toSorted()).toEqual([...expected.keys()].toSorted());
        for (const { field, code, message } of found) {
          // What every body is told in words of its own.
          const ours = code === 'required' || code === 'unknown_field' || message.endsWith('must be an object');
          if (ours || field.includes('.')) continue;
          expect(expected.get(field)).toContain(message);
        }
      }),
      { numRuns: 300 },
    );
  });
});
