-- `control` of a connection names the tokens that may bring entries and balances in; null: all that may move money.
update rail_connections set control = (control::jsonb || '{"importers": null}')::json;
