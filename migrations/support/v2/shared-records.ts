/** Columns of records that their makers keep to themselves, share with teams, or with everyone. */
export function sharedColumns(table: string): string {
  return `
    sharing text NOT NULL DEFAULT 'everyone'
      CONSTRAINT ck_${table}_sharing CHECK (sharing IN ('private', 'teams', 'everyone')),
    team_ids bigint[] NOT NULL DEFAULT '{}',
    owner_id bigint`;
}
