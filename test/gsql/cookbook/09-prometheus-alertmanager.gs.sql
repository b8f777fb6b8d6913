-- Prometheus Alertmanager: an array of alerts, a time that depends on the state
INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT instance, alertname,
  TOEPOCHMILLIS(Left(If(status = 'firing', startsAt, endsAt), 19), 'yyyy-MM-dd''T''HH:mm:ss', 'UTC'), status
FROM JSON_TABLE(@HTTP_BODY) WITH (
  instance String '$.alerts[*].labels.instance',
  alertname String '$.alerts[*].labels.alertname',
  status String '$.alerts[*].status',
  startsAt String '$.alerts[*].startsAt',
  endsAt String '$.alerts[*].endsAt');
-- ["boiler-1","HighTemperature",1772366323000,"firing"]
-- ["pump-2","Down",1772366340000,"resolved"]
