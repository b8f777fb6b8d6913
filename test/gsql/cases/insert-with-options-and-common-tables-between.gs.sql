INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (COMPTMPLID = 't', FOLDER = '/Components/x', DTID = 'dt', DSID = 'ds') WITH a AS (SELECT 'c' x) SELECT x, 'i', 1, 2.5 FROM a;
-- ["c","i",1,2.5]
