#!/bin/sh
# Runs once, when the image of PostgreSQL makes its cluster: the roles of compose.yaml, none of which is a superuser.
set -eu
psql --quiet -v ON_ERROR_STOP=1 -v owner="$OWNER_PASSWORD" -v service="$SERVICE_PASSWORD" -v database="$POSTGRES_DB" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE helpdesk_app NOLOGIN;
CREATE ROLE helpdesk_system NOLOGIN;
CREATE ROLE helpdesk_owner LOGIN PASSWORD :'owner';
CREATE ROLE helpdesk_service LOGIN NOINHERIT PASSWORD :'service';
GRANT helpdesk_app, helpdesk_system TO helpdesk_owner, helpdesk_service WITH INHERIT FALSE, SET TRUE;
-- Filling a million rows: what they refer to is locked, and checked by whoever fills them.
GRANT SET ON PARAMETER session_replication_role, wal_compression TO helpdesk_owner;
ALTER DATABASE :"database" OWNER TO helpdesk_owner;
SQL
