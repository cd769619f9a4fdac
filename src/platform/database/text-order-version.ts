import type { Client } from 'pg';
import { TEXT_ORDER } from '../text/text-order';

/**
 * Makes the indexes of texts anew, and what else is kept of their order (`text_order_changed`), where the library that compares them (ICU)
 * is not the one by which they were made, as after an upgrade of the operating system: in some places it may have another order, in which a
 * list would lose records. As the owner of the tables; whoever is not leaves them as they are.
 *
 * @param say told in one line when there were any
 */
export async function followTextOrder(client: Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ was: string; is: string }>(
    `SELECT collversion AS was, pg_collation_actual_version(oid) AS is FROM pg_collation
     WHERE oid = to_regcollation($1) AND collversion <> pg_collation_actual_version(oid) AND pg_has_role(collowner, 'USAGE')`,
    [TEXT_ORDER],
  );
  const [version] = rows;
  if (!version) return;
  await client.query(madeAnew);
  say(`Indexes of texts were made anew: they are compared by ICU collation ${version.is}, ${version.was} before.`);
}

const madeAnew = `
  DO $$ DECLARE each regclass; BEGIN
    FOR each IN SELECT indexrelid FROM pg_index WHERE '${TEXT_ORDER}'::regcollation::oid = ANY (indcollation) LOOP
      EXECUTE format('REINDEX INDEX %s', each);
    END LOOP;
    PERFORM text_order_changed();
    ALTER COLLATION ${TEXT_ORDER} REFRESH VERSION;
  END $$
`;
