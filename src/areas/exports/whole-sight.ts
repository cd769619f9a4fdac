import { currentSight, refuse } from '../../platform/context/demand';

/** Refuses (403) callers who see only some tickets, whatever their role says of exports: an archive holds all of them. */
export function requireWholeSight(): void {
  if ((currentSight()?.reach ?? 'all') === 'all') return;
  refuse('An archive holds every ticket; only those whose ticket scope is "all" may make or open one.', {
    field: 'ticket_scope',
    code: 'permission',
  });
}
