-- Tiles tell when their extremes were (core/tile.ts): those that do not are made anew; until then statistics are read
-- from samples. What retention has archived is not in tiles.
do $$
declare
  phase record;
begin
  for phase in select * from rollup_phase loop
    execute format('drop %s %I',
      case phase.kind when 'aggregate' then 'materialized view' else 'table' end,
      case phase.minutes when 0 then 'tile_day' else 'tile_day_' || phase.minutes end);
    execute format('drop %s %I',
      case phase.kind when 'aggregate' then 'materialized view' else 'table' end,
      case phase.minutes when 0 then 'tile_hour' else 'tile_hour_' || phase.minutes end);
  end loop;
end
$$;

delete from rollup_phase;
