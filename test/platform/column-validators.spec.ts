import { flatProblem, tagsProblem } from '../../src/platform/columns/column-validators';

const faces = (count: number): string => '😀'.repeat(count);

describe('texts of custom fields and tags', () => {
  it('have as many characters as the document says, whatever planes they are of', () => {
    expect([tagsProblem(faces(50)), tagsProblem([faces(50)])]).toEqual([null, null]);
    const fifty = Array.from({ length: 50 }, (_, index) => `${faces(48)}${index + 10}`);
    expect([tagsProblem(fifty), tagsProblem(fifty.join(','))]).toEqual([null, null]);
    expect(tagsProblem(faces(51))).toEqual({ code: 'max', problem: 'must have tags of at most 50 characters' });
    expect(tagsProblem([...fifty, 'x'])).toEqual({ code: 'max', problem: 'must have at most 50 tags' });
    expect(flatProblem({ [faces(64)]: faces(4_000) })).toBeNull();
    expect(flatProblem({ [faces(65)]: 1 })?.problem).toBe('must have keys of at most 64 characters');
    expect(flatProblem({ a: faces(4_001) })?.problem).toBe('must have texts of at most 4,000 characters');
  });

  it('are refused as quickly as they are long', () => {
    expect(tagsProblem('x,'.repeat(500_000))?.code).toBe('max');
    expect(tagsProblem(['x'.repeat(500_000)])?.code).toBe('max');
  });
});
