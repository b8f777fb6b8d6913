-- Who reads samples by one snapshot holds this table (access share), and who drops chunks takes it alone (core/chunk.ts).
-- To hold the hypertable itself means a lock on each of its chunks: 7 ms with 2,000 of them, and no locks left with many
-- such readers.
create table chunk_hold ();

grant select on chunk_hold to coppice_gsql;
