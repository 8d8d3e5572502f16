#!/bin/sh
# Runs once, when the volume of compose.yaml is new: a role that owns the database and is no superuser.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$FLORIN_PASSWORD" <<'SQL'
create role florin login password :'password';
create database florin owner florin encoding 'UTF8' template template0;
SQL
