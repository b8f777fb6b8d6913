WITH Stream AS (SELECT 'mine' AS cid) SELECT cid FROM Stream;
-- ["mine"]
