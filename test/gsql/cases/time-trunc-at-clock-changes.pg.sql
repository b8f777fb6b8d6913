select (extract(epoch from timestamptz '2026-03-29 00:00 Europe/Berlin') * 1000)::bigint, 0;
