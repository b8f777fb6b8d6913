select 86400000, -3600000, 1209600000, 31536000000, 90000, (extract(epoch from timestamptz '2026-02-28 12:00Z') * 1000)::bigint, null::bigint;
