-- What of the connector's last description could not be taken and was left out. Null where all of it was taken.
alter table rail_connections add column description_faults json;
