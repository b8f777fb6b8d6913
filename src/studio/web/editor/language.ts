// The words of GS SQL (grammar/REFERENCE.md), for colours and completion.
import { SQLDialect } from '@codemirror/lang-sql'

export const functions =
  `Abs Acos Asin Atan Atan2 Avg Cast Ceil Coalesce Concat Contains Cos Count CSV_TABLE DateAdd DateTrunc Day DayOfWeek
  dtFormatter EndsWith Exp First Floor Greatest Group_Concat HexToLong Hour If IfNull Iif IndexOf IsJSON JSON_Exists JSON_Query
  JSON_TABLE JSON_Value Last Least Left Len Ln Log10 Lower LPad LTrim Max Mid Min Minute Mod Month Now NullIf parseCsv Pi Power
  QueryParam Range Replace ReplaceAll ReplaceFirst Reverse Right Round RPad RTrim Second Sign Sin Sqrt StartsWith StdDev Substr
  Sum Tan TOEPOCHMILLIS Trim Trunc Try_Cast Upper Variance Year`.split(/\s+/)

export const tables: Readonly<Record<string, readonly string[]>> = {
  Stream:
    `cid cuid cname id uid name description folderPath timeZoneId streamType valueType unit lastValue lastTime startDate
    endDate lastUpdated sample time timeSd timeEd`.split(/\s+/),
  SAMPLE: ['CID', 'ID', 'TIME', 'SAMPLE'],
}

export const variables =
  '@HTTP_BODY @HTTP_METHOD @HTTP_QUERY_STRING @HTTP_QUERY_RAW @JDBC_RESULT @LAST_RUN_DATE @CONNECTOR_ID'.split(' ')

export const keywords =
  `select from where and or not in is null like escape between case when then else end as on join inner left right full outer
  cross group by having order asc desc limit offset union all except intersect distinct with values insert replace into update
  set delete exists isnull notnull ordinality true false`.split(/\s+/)

export const gsSql = SQLDialect.define({
  keywords: keywords.join(' '),
  types: 'string long integer short double float boolean',
  builtin: [...functions, ...Object.keys(tables)].join(' ').toLowerCase(),
  specialVar: '@',
  identifierQuotes: '`"',
  doubleQuotedStrings: false,
})
