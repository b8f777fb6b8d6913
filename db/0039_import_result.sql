-- The last result of each import, by which the next run knows that it fetches the same rows, and finds out whether the
-- samples that they make are still what is stored. It says what those rows make, whatever has been stored since: so it
-- is never wrong, and it may be missing.
create table import_result (
  connector_key integer primary key references connector on delete cascade,
  -- Everything besides the rows that their samples depend on: statements, zones, types, the version of the program.
  basis text not null,
  -- Hashes of the bytes of the rows, 16 bytes for each block.
  blocks bytea not null,
  -- Rows, and the samples that they make.
  fetched bigint not null,
  samples bigint not null,
  -- The sum of the hashes of these samples, by a seed that nobody knows outside.
  seed bigint not null,
  digest numeric not null,
  -- The streams that they are of, and the first and last time of each.
  streams jsonb not null
);
