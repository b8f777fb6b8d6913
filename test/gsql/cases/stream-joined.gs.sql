SELECT s.cid, j.label FROM Stream s JOIN JSON_TABLE('[{"id":"temp","label":"T"}]') WITH(id String '$[*].id', label String '$[*].label') j ON s.id = j.id;
-- ["boiler","T"]
