-- Some tiles are days only, which begin at other hours of UTC: in rollup_phase their minutes are those past midnight, 60
-- and more. A server of a version that does not know them mends the others and removes the marks. Then these days are
-- made anew: whoever knows them says so by a setting of its transaction.
create function forget_unknown_days() returns trigger language plpgsql as $$
begin
  if current_setting('coppice.mends', true) is distinct from 'days' then
    update rollup_phase
    set ready_until = default, piece_until = null, next_stream = 0
    where minutes >= 60;
  end if;
  return null;
end $$;

create trigger stale_mended after delete or update on stale
for each statement execute function forget_unknown_days();
