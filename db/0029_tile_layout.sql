-- Tiles have columns of the archive from layout 2 on: the times of their first and last sample, and sums of doubles that
-- are too large to be summed as such. Servers read only tiles of their own layout, and make others anew; those that were
-- made before this migration have layout 1.
alter table rollup_phase add column layout integer not null default 1;
