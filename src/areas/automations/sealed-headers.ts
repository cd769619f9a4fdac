import { type ArgumentWords, checkedBy, IsArgument } from '../../platform/area/argument';
import type { Action } from '../../platform/area/rules';
import { note } from '../../platform/conditions/check-conditions';
import { currentWorkspaceId } from '../../platform/context/current';
import type { ErrorDetail } from '../../platform/errors/api-error';
import type { SecretBox } from '../../platform/secrets/secret-box';
import { canonical, isRecord, ownJson } from '../../platform/text/json';

/** Stands for a value where actions are shown. Sent back, it keeps the value. */
const HIDDEN = '***';
const MAX_SEALED = 60_000;

type Headers = Readonly<Record<string, string>>;

/** What is sealed: the values, and for which place they were given, or whoever reads an action could send them elsewhere. */
interface Sealed {
  place: string;
  headers: Headers;
}

/** Values that only this installation can read. */
export function SealedArgument(words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'sealed', max: MAX_SEALED, ...words },
    ...checkedBy({ type: 'string', maxLength: MAX_SEALED }, (value) =>
      typeof value === 'string' && value.length <= MAX_SEALED
        ? null
        : { code: 'type', problem: 'must be as it was shown' },
    ),
  });
}

/**
 * Headers of calls hold credentials, and whoever reads rules, events or the audit log reads actions: what is kept has the names of
 * the headers, and their values sealed. An action that is sent back as it was shown stays as it is.
 *
 * @param action right by itself
 */
export function withSealedHeaders(path: string, action: Action, box: SecretBox, problems: ErrorDetail[]): Action {
  const { headers, headers_sealed: told, ...rest } = action;
  if (!isRecord(headers) || Object.keys(headers).length === 0)
    return headers === undefined ? rest : { ...rest, headers };
  const place = placeOf(action);
  const known = typeof told === 'string' ? valuesOf(told, place, box) : {};
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const kept = value !== HIDDEN ? String(value) : Object.hasOwn(known, name) ? known[name] : undefined;
    if (kept !== undefined) values[name] = kept;
    else
      note(problems, `${path}.headers`, 'hidden', `must give ${name}: its value is known for the same address alone`);
  }
  const isSame = canonical(values) === canonical(known);
  const headers_sealed = isSame ? told : box.seal(JSON.stringify({ place, headers: values } satisfies Sealed));
  const shown = Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN]));
  return { ...rest, headers: shown, headers_sealed };
}

/** The headers of a call with their values; those of older actions were never sealed. */
export function openedHeaders(
  { headers, sealed }: { headers: Headers; sealed?: string | null },
  box: SecretBox,
): Headers {
  return sealed ? ownJson<Sealed>(box.open(sealed)).headers : headers;
}

/** Nothing of what was sealed elsewhere, or for another place. */
function valuesOf(told: string, place: string, box: SecretBox): Headers {
  try {
    const sealed = ownJson<Sealed>(box.open(told));
    return sealed.place === place ? sealed.headers : {};
  } catch {
    return {};
  }
}

function placeOf({ url, endpoint_id }: Action): string {
  const target = typeof url === 'string' ? new URL(url).origin : `webhook ${String(endpoint_id)}`;
  return `${currentWorkspaceId()} ${target}`;
}
