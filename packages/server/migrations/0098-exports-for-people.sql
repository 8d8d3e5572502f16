-- Who reads the file: programs get ids and smallest units, people get names, decimals, and times of a zone.
alter table exports add column audience text not null default 'PROGRAMS';
alter table exports add column time_zone text;
alter table exports add constraint exports_audience check (audience in ('PROGRAMS', 'PEOPLE'));
alter table exports add constraint exports_zone check ((audience = 'PEOPLE') = (time_zone is not null));
