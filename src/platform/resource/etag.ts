import { fail } from '../errors/api-error';
import { digestOf } from '../http/if-none-match';
import type { Resource } from './resource';
import { type Selection, wholeSelection } from './read/selection';

/**
 * Strong entity tag of a record's representation: `"<version>"`, followed by a digest of the body where the version
 * alone does not identify it (computed columns, expanded relations).
 */
export function etagOf(resource: Resource, selection: Selection, version: number, json: string): string {
  if (!resource.hasComputed && selection.expand.length === 0) return `"${version}"`;
  return `"${version}-${digestOf(json).slice(0, 10)}"`;
}

/** How the answer to a creation is tagged and what tells of it, for routes that keep answers by their events (`ClaimsLate`). */
export function createdRecord(resource: Resource): { object: string; etag: (json: string) => string } {
  return { object: resource.singular, etag: (json) => etagOf(resource, wholeSelection(resource), 1, json) };
}

/**
 * Versions that an `If-Match` header accepts; `any` for `*`; null without the header. Weak tags never match; `hasWeak` is
 * kept to say so.
 */
export type ExpectedVersions = { any: boolean; versions: ReadonlySet<number>; hasWeak: boolean } | null;

/** Parses `If-Match` (RFC 9110, 13.1.1). */
export function parseIfMatch(header: string | undefined): ExpectedVersions {
  if (header === undefined) return null;
  const versions = new Set<number>();
  for (const part of header.split(',')) {
    const match = /^"(\d{1,15})(-[\w-]+)?"$/.exec(part.trim());
    if (match) versions.add(Number(match[1]));
  }
  return { any: header.trim() === '*', versions, hasWeak: /(?:^|,)\s*W\/"/.test(header) };
}

/** 412 unless the record's version is one of those expected. */
export function requireVersion(expected: ExpectedVersions, version: number): void {
  if (expected === null || expected.any || expected.versions.has(version)) return;
  const now = `the record's version is "${version}".`;
  if (expected.versions.size > 0) fail('precondition_failed', `The record has changed: ${now}`);
  if (expected.hasWeak) fail('precondition_failed', `Weak ETags (W/"…") never match If-Match, strong ones do: ${now}`);
  fail('precondition_failed', `If-Match names no ETag of this record: ${now}`);
}
