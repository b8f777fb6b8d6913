SELECT "k", "z", t."k", [k], `k` FROM (SELECT 'v' AS k) t;
-- ["v","z","v","v","v"]
