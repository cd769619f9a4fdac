import fc from 'fast-check';
import { ARTICLE_TRANSITIONS, liveVersion, statusEffects } from '../../src/areas/kb/articles/article-status';
import { ARTICLE_STATUSES, type ArticleStatus, PUBLISH_MODES } from '../../src/areas/kb/articles/article-values';

describe('what readers see', () => {
  it('is the current version when published, nothing when archived or directly withdrawn, and never a later one', () => {
    const steps = fc.array(
      fc.record({
        status: fc.constantFrom(...ARTICLE_STATUSES),
        publish_mode: fc.constantFrom(...PUBLISH_MODES),
        rewritten: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (changes) => {
        let status: ArticleStatus = 'draft';
        let version = 1;
        let live: number | null = null;
        let published = 0;
        for (const change of changes) {
          const to: ArticleStatus = ARTICLE_TRANSITIONS[status].includes(change.status) ? change.status : status;
          const facts = {
            status,
            publish_mode: change.publish_mode,
            version_number: version,
            live_version: live,
            published_at: null,
          };
          const { events } = statusEffects(facts, to, '2026-01-01T00:00:00.000Z');
          expect(events).toEqual(
            to !== status && (to === 'published' || to === 'archived') ? [`kb_article.${to}`] : [],
          );
          if (change.rewritten) version++;
          live = liveVersion(live, { status: to, publish_mode: change.publish_mode, version_number: version });
          status = to;
          if (status === 'published') {
            expect(live).toBe(version);
            published = version;
          } else if (status === 'archived' || change.publish_mode === 'direct') expect(live).toBeNull();
          else expect(live === null || live === published).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
