select t, case when t like '%x%' then 0 else t::bigint end from (values ('12'), ('x1')) v(t) order by t collate "C";
