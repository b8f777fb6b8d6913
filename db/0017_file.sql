-- Contents of files. A sample of a FILE stream has the file's name in text and in long the key of its content here. The
-- sample alone makes the file exist; a content that no sample points to is on its way in or on its way out, and is
-- removed when it is looked at after check_at.

create table blob (
  key bigint generated always as identity primary key,
  -- The sample that points here, its time as stored, and its name for the file. Null before there is such a sample, and
  -- once there is none any more.
  stream_key integer,
  time timestamptz,
  name text,
  size bigint,
  -- SHA-256.
  hash bytea,
  content_type text,
  stored_at timestamptz,
  check_at timestamptz not null
);

create index blob_time on blob (stream_key, time) where stream_key is not null;
create index blob_name on blob (stream_key, name, time) where stream_key is not null;
create index blob_check on blob (check_at);

-- Piece n holds the bytes from n * 131,072 on, so that reading a range touches only its pieces. Bytes are stored as
-- they are: most files are compressed already, and of an uncompressed piece a part can be read without the rest.
create table blob_piece (
  blob_key bigint not null,
  number integer not null,
  bytes bytea not null,
  primary key (blob_key, number)
);

alter table blob_piece alter column bytes set storage external;
