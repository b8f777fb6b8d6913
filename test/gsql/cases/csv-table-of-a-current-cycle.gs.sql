SELECT v
FROM CSV_TABLE((SELECT Group_Concat(v, '
') FROM (SELECT sample(Range(currentCycle='day')) AS v FROM Stream WHERE id = 'temp')))
  WITH (1 v DOUBLE)
ORDER BY v;
-- [21.5]
-- [22.5]
-- [23.5]
