select 2026::bigint, 1::bigint, 1::bigint, 0::bigint, 4::bigint, 5::bigint, 4::bigint;
