import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/** The code alone of a label that went on with the subject. */
const codeOf = (label: string): string => `split_part(${label}, ' ', 1)`;

/** The members of an object, in their order. */
const membersOf = (object: string): string => `json_each(${object}) WITH ORDINALITY AS m (name, value, place)`;

/** An object with its label cut; its other members stay as they are. */
const labelled = (object: string): string => `
  (SELECT json_object_agg(m.name, CASE m.name WHEN 'label' THEN to_json(${codeOf(`m.value #>> '{}'`)}) ELSE m.value END ORDER BY m.place)
   FROM ${membersOf(object)})`;

/** A list of such objects. */
const alternatives = (list: string): string => `
  (SELECT coalesce(json_agg(${labelled('a.value')} ORDER BY a.place), '[]'::json)
   FROM json_array_elements(${list}) WITH ORDINALITY AS a (value, place))`;

/** The record of a prediction, as events have it. */
const record = (object: string): string => `
  (SELECT json_object_agg(m.name, CASE m.name WHEN 'label' THEN to_json(${codeOf(`m.value #>> '{}'`)})
     WHEN 'alternatives' THEN ${alternatives('m.value')} ELSE m.value END ORDER BY m.place)
   FROM ${membersOf(object)})`;

/** What an event of a ticket says was predicted of it. */
const predicted = (related: string): string => `
  (SELECT json_object_agg(m.name, CASE m.name WHEN 'predictions' THEN
     (SELECT json_agg(CASE p.value ->> 'task' WHEN 'duplicate' THEN ${labelled('p.value')} ELSE p.value END ORDER BY p.place)
      FROM json_array_elements(m.value) WITH ORDINALITY AS p (value, place)) ELSE m.value END ORDER BY m.place)
   FROM ${membersOf(related)})`;

/**
 * Predicted duplicates, and the events of them, were called by code and subject, and who sees the one ticket need not see the other: what is
 * kept of them has the code alone, too.
 */
export class DuplicatesAreNamed1768990000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE ${SYSTEM_ROLE};
      UPDATE ai_predictions SET label = ${codeOf('label')}, alternatives = ${alternatives('alternatives::json')}::jsonb
      WHERE task = 'duplicate' AND label LIKE '% %';
      UPDATE events SET data = ${record('data')}
      WHERE object = 'ai_prediction' AND data ->> 'task' = 'duplicate' AND data ->> 'label' LIKE '% %';
      UPDATE events SET related = ${predicted('related')}
      WHERE type = 'ticket.predicted' AND json_typeof(related -> 'predictions') = 'array' AND EXISTS (
        SELECT FROM json_array_elements(related -> 'predictions') AS p (value)
        WHERE p.value ->> 'task' = 'duplicate' AND p.value ->> 'label' LIKE '% %');
      RESET ROLE;
    `);
  }

  /** What was taken out is not known any more, and nothing asks for it. */
  async down(): Promise<void> {
    // Nothing to set back.
  }
}
