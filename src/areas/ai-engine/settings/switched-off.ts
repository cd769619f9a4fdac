import { invalid } from '../../../platform/errors/api-error';

/** Refuses (422) what the engine is asked for in a workspace that has switched it off. */
export function refuseSwitchedOff({ enabled }: { enabled: boolean }, field: string): void {
  if (!enabled) invalid(field, 'not_allowed', 'The AI engine is switched off in this workspace.');
}
