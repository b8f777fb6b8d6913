WITH "my table"("the device", [a value]) AS (SELECT 'd', Cast('5' AS "LONG"))
INSERT OR REPLACE INTO SAMPLE("CID", "ID", "TIME", "SAMPLE") WITH ("FOLDER" = '/Components/x')
SELECT "the device", 's', 7, "a value" FROM "my table";
-- ["d","s",7,5]
