INSERT INTO SAMPLE SELECT 'c', 's', '12', TRUE; INSERT INTO SAMPLE(CID, ID, SAMPLE) VALUES ('c', 's', NULL);
-- ["c","s",12,true]
-- ["c","s",null,null]
