-- A gateway with many sensors: three levels of arrays, times counted back from the upload
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT gateway + '/' + node, type, TOEPOCHMILLIS(sent, 'yyyy-MM-dd''T''HH:mm:ssXXX') + secs * 1000, v
FROM JSON_TABLE(@HTTP_BODY) WITH (
  gateway String '$.gateway',
  sent String '$.sent',
  node String '$.nodes[*].id',
  type String '$.nodes[*].readings[*].type',
  secs Long '$.nodes[*].readings[*].values[*].t',
  v Double '$.nodes[*].readings[*].values[*].v');
-- ["gw-7/n1","temp",1772366400000,21.5]
-- ["gw-7/n1","temp",1772366340000,21.4]
-- ["gw-7/n3","temp",1772366395000,19]
-- ["gw-7/n3","hum",1772366395000,55]
