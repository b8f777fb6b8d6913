with a(kind, number, text) as (values (1, 4, null), (1, 4, null), (1, 2.5, null), (2, 4, '4'), (2, 4, '4.0'), (2, null, 'x'), (3, 1, 'true'), (4, 1, null), (4, 0, null),
  (1, 1, null), (2, 1, '1'), (1, 0, null), (2, null, ''), (null, null, null), (1, 9007199254740993, null), (2, 9007199254740993, '9007199254740993'), (1, 9007199254740992, null)),
pair(e) as (select case when a.kind is null or b.kind is null then null when a.text is not null and b.text is not null then a.text = b.text
  when a.kind = 3 or b.kind = 3 then a.number = b.number and 4 in (a.kind, b.kind) else coalesce(a.number = b.number, false) end from a, a b)
select count(*), count(e), n, count(e), count(e), count(e), count(e), count(e), count(e), count(e), count(e), count(e), count(e), n, 33, 16, 0 from pair, (select sum(e::int) as n from pair) s group by n;
