-- Shelly (second generation), status notification: names with a colon, seconds with a fraction
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT src, 'power', Round(ts * 1000), power
FROM JSON_TABLE(@HTTP_BODY) WITH (src String '$.src', ts Double '$.params.ts', power Double '$.params[''switch:0''].apower')
UNION ALL
SELECT src, 'energy', Round(ts * 1000), energy
FROM JSON_TABLE(@HTTP_BODY) WITH (src String '$.src', ts Double '$.params.ts', energy Double '$.params[''switch:0''].aenergy.total')
UNION ALL
SELECT src, 'output', Round(ts * 1000), output
FROM JSON_TABLE(@HTTP_BODY) WITH (src String '$.src', ts Double '$.params.ts', output Boolean '$.params[''switch:0''].output');
-- ["shellyplus1pm-a8032abe54dc","power",1772366398120,9.2]
-- ["shellyplus1pm-a8032abe54dc","energy",1772366398120,1234.5]
-- ["shellyplus1pm-a8032abe54dc","output",1772366398120,true]
