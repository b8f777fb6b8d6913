// Scripts of 64 KB: everything that a script can have many of.
import { long, parts } from './fill.ts'
import type { Hostile } from './target.ts'

export const scripts: readonly Hostile[] = [
  {
    title: 'ORDER BY of terms',
    send: (to) => to.script(parts('SELECT a FROM (SELECT 1 AS a) x ORDER BY ', (n) => `a+${n}`)),
  },
  {
    title: 'GROUP BY of terms',
    send: (to) => to.script(parts('SELECT 1 FROM (SELECT 1 AS a) x GROUP BY ', (n) => `a+${n}`)),
  },
  { title: 'columns', send: (to) => to.script(parts('SELECT ', (n) => `${n} AS a${n}`)) },
  {
    title: 'columns of columns',
    send: (to) => to.script(parts('SELECT * FROM (SELECT ', (n) => `1 AS a${n}`, ') x')),
  },
  {
    title: 'a name that is in no list',
    send: (to) => to.script(parts('SELECT b FROM (SELECT ', (n) => `1 AS a${n}`, ') x')),
  },
  {
    title: 'a name of 30 KB beside one of 30 KB',
    send: (to) => to.script(`SELECT ${'a'.repeat(30_000)} FROM (SELECT 1 AS ${'b'.repeat(30_000)}) x`),
  },
  { title: 'a list of IN', send: (to) => to.script(parts('SELECT 1 IN (', (n) => `${n}`, ')')) },
  {
    title: 'a list of VALUES',
    send: (to) => to.script(parts('INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ', (n) => `('C','long',${n},1)`)),
  },
  { title: 'a chain of OR', send: (to) => to.script(parts('SELECT ', (n) => `1=${n}`, '', ' OR ')) },
  { title: 'a chain of +', send: (to) => to.script(parts('SELECT ', (n) => `${n}`, '', '+')) },
  { title: 'a chain of minus signs', send: (to) => to.script(`SELECT ${'- '.repeat(30_000)}1`) },
  { title: 'a chain of NOT', send: (to) => to.script(`SELECT ${'NOT '.repeat(15_000)}1`) },
  {
    title: 'a chain of common tables',
    send: (to) =>
      to.script(
        parts('WITH t0 AS (SELECT 1 AS a), ', (n) => `t${n + 1} AS (SELECT a FROM t${n})`, ' SELECT 1 FROM t1'),
      ),
  },
  {
    title: 'common tables that double',
    send: (to) =>
      to.script(
        `WITH t0 AS (SELECT 1 AS a)${Array.from({ length: 300 }, (_, n) => `, t${n + 1} AS (SELECT x.a FROM t${n} x, t${n} y)`).join('')} SELECT a FROM t300`,
      ),
  },
  { title: 'UNION ALL', send: (to) => to.script(parts('', () => 'SELECT 1', '', ' UNION ALL ')) },
  { title: 'joins', send: (to) => to.script(parts('SELECT 1 FROM ', (n) => `(SELECT 1 AS a) t${n}`)) },
  { title: 'statements', send: (to) => to.script(parts('', () => 'SELECT 1', '', ';')) },
  { title: 'variables', send: (to) => to.script(parts('SET @a = 1; ', (n) => `SET @a${n} = @a + ${n}`, '', ';')) },
  { title: 'parentheses', send: (to) => to.script(`SELECT ${'('.repeat(30_000)}1${')'.repeat(30_000)}`) },
  { title: 'parentheses that are not closed', send: (to) => to.script(`SELECT ${'('.repeat(60_000)}`) },
  { title: 'queries inside queries', send: (to) => to.script(`${'SELECT (SELECT '.repeat(3000)}1${')'.repeat(3000)}`) },
  {
    title: 'queries from queries',
    send: (to) => to.script(`${'SELECT * FROM ('.repeat(3000)}SELECT 1${') x'.repeat(3000)}`),
  },
  {
    title: 'CASE inside CASE',
    send: (to) => to.script(`SELECT ${'CASE WHEN 1 THEN '.repeat(2000)}1${' END'.repeat(2000)}`),
  },
  {
    title: 'CASE of branches',
    send: (to) => to.script(parts('SELECT CASE ', (n) => `WHEN 1=${n} THEN ${n}`, ' END', ' ')),
  },
  { title: 'arguments', send: (to) => to.script(parts('SELECT Concat(', (n) => `'${n}'`, ')')) },
  { title: 'arguments of Greatest', send: (to) => to.script(parts('SELECT Greatest(', (n) => `${n}`, ')')) },
  { title: 'calls inside calls', send: (to) => to.script(`SELECT ${'Lower('.repeat(9000)}'a'${')'.repeat(9000)}`) },
  { title: 'comments', send: (to) => to.script(`SELECT 1 ${'/* */'.repeat(12_000)}`) },
  { title: 'a comment that is not closed', send: (to) => to.script(`SELECT 1 /*${'/*'.repeat(30_000)}`) },
  { title: 'quotes', send: (to) => to.script(`SELECT '${"''".repeat(30_000)}`) },
  { title: 'quotes that are not closed', send: (to) => to.script(`SELECT ${"'".repeat(60_001)}`) },
  { title: 'dots', send: (to) => to.script(`SELECT a${'.a'.repeat(30_000)}`) },
  { title: 'signs', send: (to) => to.script(`SELECT ${'?'.repeat(60_000)}`) },
  { title: 'blanks', send: (to) => to.script(`SELECT ${' '.repeat(60_000)}`) },
  {
    title: 'JSON paths',
    send: (to) =>
      to.script(parts("SELECT 1 FROM JSON_TABLE('{}') WITH (", (n) => `a${n} STRING '$${'.a'.repeat(100)}'`, ')')),
  },
  {
    title: 'JSON paths of unions',
    send: (to) =>
      to.script(parts("SELECT 1 FROM JSON_TABLE('{}') WITH (", (n) => `a${n} STRING '$[${'0,'.repeat(480)}0]'`, ')')),
  },
  {
    title: 'JSON columns',
    send: (to) => to.script(parts("SELECT 1 FROM JSON_TABLE('{}') WITH (", (n) => `a${n} STRING '$.a'`, ')')),
  },
  {
    title: 'JSON paths of branches',
    send: (to) =>
      to.script(
        parts(
          `SELECT a0 FROM JSON_TABLE('{"a":[${'1,'.repeat(10_000)}1]}') WITH (`,
          (n) => `a${n} STRING '$.a[*]'`,
          ')',
        ),
      ),
  },
  {
    title: 'CSV columns',
    send: (to) => to.script(parts("SELECT 1 FROM CSV_TABLE('a') WITH (", (n) => `${n + 1} a${n} STRING`, ')')),
  },
  { title: 'a CSV column far away', send: (to) => to.script("SELECT a FROM CSV_TABLE('a') WITH (999999999 a STRING)") },
  {
    title: 'date patterns',
    send: (to) => to.script(parts('SELECT ', () => `dtFormatter(0, '${'yyyy-MM'.repeat(25)}')`)),
  },
  {
    title: 'regular expressions',
    send: (to) => to.script(parts('SELECT ', () => `ReplaceAll('a', '${'(a|b)*'.repeat(100)}', 'x')`)),
  },
  {
    title: 'samples of streams',
    send: (to) => to.script(parts('SELECT ', () => "sample(Range(last=1), cycleId='day', stat='max')", ' FROM Stream')),
  },
  { title: 'LIKE patterns', send: (to) => to.script(`SELECT '${'a'.repeat(30_000)}' LIKE '${'%a'.repeat(15_000)}b'`) },
  { title: 'a script that is too long', send: (to) => to.script('SELECT 1;'.repeat(100_000)) },
  {
    title: 'JSON_TABLE 25 times over one text',
    send: (to) =>
      to.own('POST', '/api/connector/test', {
        sql: Array.from(
          { length: 25 },
          (_, n) =>
            `INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'C', 'text', ${n}, v FROM JSON_TABLE(@HTTP_BODY) WITH (v STRING '$.list[*].v');`,
        ).join('\n'),
        variables: { HTTP_BODY: `{"list":[${long('{"v":"x"},', 900_000)}{}]}` },
      }),
  },
]
