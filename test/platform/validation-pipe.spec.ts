import { Type } from 'class-transformer';
import { ArrayMaxSize, IsString, ValidateNested } from 'class-validator';
import { ApiError } from '../../src/platform/errors/api-error';
import { echoedFields, ValidationPipe } from '../../src/platform/http/validation-pipe';
import { FlagParameter, IdParameter, NumberParameter } from '../../src/platform/query/members';
import { ProbeBody } from '../support/probe.module';
import { thrownBy } from '../support/thrown-by';

class ProbeQuery {
  @NumberParameter({ description: 'Most.', min: 1, max: 20 })
  limit?: number;

  @FlagParameter({ description: 'Whether.' })
  force?: boolean;

  @IdParameter({ description: 'Who.', names: 'a user', none: true })
  heir?: number | null;
}

let made = 0;

class ProbeEntry {
  constructor() {
    made += 1;
  }

  @IsString()
  name: string;
}

class ProbeList {
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => ProbeEntry)
  entries: ProbeEntry[];
}

const pipe = new ValidationPipe((body) => new Set(body === ProbeBody ? ['id', 'created_at'] : []));

function refused(body: unknown): ApiError {
  try {
    pipe.transform(body, { type: 'body', metatype: ProbeBody });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
}

function codesOf(body: unknown): Record<string, string> {
  return Object.fromEntries((refused(body).extras.details ?? []).map(({ field, code }) => [field, code]));
}

describe('the validation pipe', () => {
  it('makes an instance of the body class', () => {
    const body = pipe.transform({ subject: 'a', count: 1 }, { type: 'body', metatype: ProbeBody });
    expect(body).toBeInstanceOf(ProbeBody);
    expect(body).toEqual({ subject: 'a', count: 1 });
  });

  it('lists absent required fields as missing and as details', () => {
    expect(refused({}).extras.missing).toEqual(['subject', 'count']);
    expect(codesOf(undefined)).toEqual({ subject: 'required', count: 'required' });
  });

  it('lists those inside of others as missing, too, by the path of their detail', () => {
    const error = refused({ subject: 'a', parts: [{ name: 'x' }, {}] });
    expect(error.extras.missing).toEqual(['count', 'parts.1.name']);
    expect(codesOf({ subject: 'a', parts: [{ name: 'x' }, {}] })).toEqual({
      count: 'required',
      'parts.1.name': 'required',
    });
  });

  it('does not call a wrong or null value missing', () => {
    const error = refused({ subject: null, count: 'x' });
    expect(error.extras.missing).toEqual([]);
    expect(codesOf({ subject: null, count: 'x' })).toEqual({ subject: 'type', count: 'type' });
  });

  it('names what is wrong with each field', () => {
    expect(
      codesOf({ subject: 'x'.repeat(21), count: 0, priority: 'huge', parts: [{ name: 1, extra: 1 }], zz: 1 }),
    ).toEqual({
      zz: 'unknown_field',
      subject: 'max',
      count: 'min',
      priority: 'enum',
      'parts.0.name': 'type',
      'parts.0.extra': 'unknown_field',
    });
  });

  it('tells the allowed values and the known fields', () => {
    const details = refused({ subject: 'a', count: 1, priority: 'huge', zz: 1 }).extras.details ?? [];
    expect(details.find(({ field }) => field === 'priority')?.allowed).toEqual(['low', 'high']);
    expect(details.find(({ field }) => field === 'zz')?.allowed).toEqual(['subject', 'count', 'priority', 'parts']);
  });

  it('sets read-only fields aside for the service', () => {
    const body = pipe.transform(
      { id: 7, created_at: 'x', subject: 'a', count: 1 },
      { type: 'body', metatype: ProbeBody },
    );
    expect(body).toEqual({ subject: 'a', count: 1 });
    expect(echoedFields(body as object)).toEqual({ id: 7, created_at: 'x' });
  });

  it('makes nothing of a list that is too long, and does not look into it', () => {
    const entries = [{ name: 'a' }, { name: 'b' }];
    expect(pipe.validate({ entries }, ProbeList).entries).toEqual(entries);
    expect(made).toBe(2);
    const long = { entries: [...entries, { name: 7 }] };
    const { extras } = thrownBy(() => pipe.validate(long, ProbeList), ApiError);
    expect([extras.details?.map(({ field, code }) => [field, code]), made]).toEqual([[['entries', 'max']], 2]);
  });

  it('leaves alone what is no body class', () => {
    const value = { anything: 1 };
    expect(pipe.transform(value, { type: 'body', metatype: Object })).toBe(value);
    expect(pipe.transform('7', { type: 'param', metatype: String })).toBe('7');
    expect(pipe.transform(value, { type: 'query', metatype: Object })).toBe(value);
    expect(pipe.transform('7', { type: 'query', metatype: String, data: 'score' })).toBe('7');
  });

  it('reads query parameters, and tells all that it cannot read in their own words', () => {
    const given = { limit: '7', force: 'true', heir: 'none', page: '1' };
    expect(pipe.transform(given, { type: 'query', metatype: ProbeQuery })).toEqual({
      limit: 7,
      force: true,
      heir: null,
    });
    const wrong = { limit: '21', force: 'yes', heir: '0' };
    const { extras } = thrownBy(() => pipe.transform(wrong, { type: 'query', metatype: ProbeQuery }), ApiError);
    expect(extras.details).toEqual([
      { field: 'limit', code: 'max', message: '"limit" must be at most 20.', max: 20 },
      { field: 'force', code: 'enum', message: '"force" must be true or false.', allowed: ['true', 'false'] },
      { field: 'heir', code: 'type', message: '"heir" must be the id of a user, or none.' },
    ]);
  });
});
