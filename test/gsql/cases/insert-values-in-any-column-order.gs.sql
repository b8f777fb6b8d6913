INSERT INTO system.sample (SAMPLE, ID, CID, TIME) VALUES (1, 's', 'c', 10), ('x', 't', 7, NULL);
-- ["c","s",10,1]
-- ["7","t",null,"x"]
