select 1772362800000, (extract(epoch from timestamptz '2026-07-01 10:00Z') * 1000)::bigint, 1772366400000, 1772384400000;
