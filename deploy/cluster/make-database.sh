#!/bin/sh
# Run once by Patroni, on the first node of a new cluster: the role and the database of Coppice. $1 is the superuser's
# address, COPPICE_PASSWORD the role's password (letters and digits: it stands in a URL).
set -eu
"${PG_BIN:+$PG_BIN/}psql" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set password="$COPPICE_PASSWORD" --dbname "$1" <<'SQL'
create role coppice login createrole password :'password';
-- It sees at once which standby follows which primary (docs/scale.md#rights).
grant pg_monitor to coppice;
create database coppice owner coppice;
SQL
