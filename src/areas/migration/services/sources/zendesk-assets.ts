import { byId, idOf, listIn, type Said, textIn, within } from '../said';
import type { Reading, ServiceEntity, ServicePage } from '../service-source';
import { cursorPage, moments } from './zendesk-pages';

const ITAM = '/api/v2/it_asset_management';

/**
 * Assets of Zendesk's IT asset management, which has 10,000 at most: lists are read whole, and what has not changed is passed over.
 * Accounts without it refuse, and the migration does without. Names of types and statuses are what people there made: those that are
 * none here stay in custom fields. Whoever has one is an agent or a customer. Documentation:
 * developer.zendesk.com/api-reference/it-asset-management/assets, …/asset_statuses, …/asset_types.
 */
export const ZENDESK_ASSETS: ServiceEntity = {
  first: () => ({ path: `${ITAM}/assets?page%5Bsize%5D=100` }),
  read: assetPage,
  values: { type: { '*': 'other' }, status: { '*': 'in_stock' } },
};

async function assetPage(answer: unknown, _at: unknown, reading: Reading): Promise<ServicePage> {
  const statuses = await named('statuses', reading);
  const types = await named('asset_types', reading);
  const users = listIn(answer, 'assets').flatMap(({ user_id }) => idOf(user_id) ?? []);
  const people = await reading.people([...new Set(users)]);
  return cursorPage(answer, 'assets', reading, (asset, id) => {
    const { name, asset_tag, serial_number, manufacturer, model, notes, purchase_cost, purchase_date } = asset;
    const [status, type] = [statuses(asset.status_id), types(asset.asset_type_id)];
    const user = idOf(asset.user_id);
    const isContact = user !== null && people.get(user)?.isAgent === false;
    return {
      id,
      fields: {
        ...{ name, asset_tag, serial_number, manufacturer, model, notes, purchase_cost, purchase_date, status, type },
        ...{ company_id: asset.organization_id, assigned_to: isContact ? null : user, ...moments(asset) },
        assigned_contact_id: isContact ? user : null,
      },
      titled: { ...within(asset, 'custom_field_values'), 'Zendesk status': status, 'Zendesk type': type },
    };
  });
}

/** What they are called, by their ids. */
async function named(list: string, reading: Reading): Promise<(id: unknown) => string | null> {
  const known: ReadonlyMap<string, Said> = byId(listIn(await reading.askOnce({ path: `${ITAM}/${list}` }), list));
  return (id) => textIn(known.get(idOf(id) ?? '') ?? {}, 'name');
}
