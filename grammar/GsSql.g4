// GS SQL, the language of connectors and queries. The grammar holds no code: src/gsql/syntax/build.ts turns its
// parse tree into our own. After a change: npm run grammar.
//
// Parentheses hold either an expression or a query, and a query always begins with a word, so that one
// word of lookahead decides and no input makes the parser search.

grammar GsSql;

options { caseInsensitive = true; }

// ---- script ----

script
    : SEMICOLON* (statement (SEMICOLON+ statement)* SEMICOLON*)? EOF
    ;

// A derived stream has an expression alone.
derivation
    : expression EOF
    ;

statement
    : setVariable
    | withClause? (insert | queryBody)
    | update
    | delete
    ;

setVariable
    : SET VARIABLE (EQ | EQEQ) expression
    ;

insert
    : INSERT (OR REPLACE)? INTO tableName (LPAREN anyName (COMMA anyName)* RPAREN)?
      (WITH LPAREN insertOption (COMMA insertOption)* RPAREN)? query
    ;

insertOption
    : anyName EQ expression
    ;

update
    : UPDATE tableName SET assignment (COMMA assignment)* (WHERE expression)?
    ;

assignment
    : anyName EQ expression
    ;

delete
    : DELETE FROM tableName (WHERE expression)?
    ;

// ---- query ----

query
    : withClause? queryBody
    ;

withClause
    : WITH commonTable (COMMA commonTable)*
    ;

commonTable
    : anyName (LPAREN anyName (COMMA anyName)* RPAREN)? AS LPAREN query RPAREN
    ;

queryBody
    : selectTerm (setOperator selectTerm)* orderBy? limit?
    ;

setOperator
    : UNION ALL?
    | EXCEPT
    | INTERSECT
    ;

selectTerm
    : select
    | values
    ;

select
    : SELECT (DISTINCT | ALL)? selectItem (COMMA selectItem)* (FROM tables)? (WHERE expression)? groupBy? having?
    ;

values
    : VALUES valueRow (COMMA valueRow)*
    ;

valueRow
    : LPAREN expression (COMMA expression)* RPAREN
    ;

selectItem
    : STAR                                        # allColumns
    | anyName DOT STAR                            # tableColumns
    | expression (AS aliasName | bareName)?       # oneColumn
    ;

groupBy
    : GROUP BY expression (COMMA expression)*
    ;

having
    : HAVING expression
    ;

orderBy
    : ORDER BY orderTerm (COMMA orderTerm)*
    ;

orderTerm
    : expression (ASC | DESC)? (NULLS (FIRST | LAST))?
    ;

limit
    : LIMIT expression (OFFSET expression)?
    ;

// ---- tables ----

tables
    : table (COMMA table | join)*
    ;

join
    : CROSS JOIN table                            # crossJoin
    | INNER? JOIN table joinCondition?            # innerJoin
    | (LEFT | RIGHT | FULL) OUTER? JOIN table joinCondition?  # outerJoin
    | NATURAL (INNER | CROSS | (LEFT | RIGHT | FULL) OUTER?)? JOIN table  # naturalJoin
    ;

// NATURAL and USING are understood only to be refused by name.
joinCondition
    : ON expression
    | USING LPAREN anyName (COMMA anyName)* RPAREN
    ;

table
    : tableSource (AS aliasName | bareName)?
    ;

tableSource
    : anyName LPAREN (expression (COMMA expression)*)? RPAREN (WITH LPAREN tableColumn (COMMA tableColumn)* RPAREN)?  # tableFunction
    | tableName                                   # namedTable
    | LPAREN query RPAREN                         # queryTable
    ;

tableColumn
    : INTEGER? anyName anyName (STRING | QUOTED)?
    ;

tableName
    : anyName (DOT anyName)?
    ;

// ---- expressions, strongest binding first ----

// Conditions and values are two rules, so that the AND of BETWEEN is not taken for the other AND.
expression
    : value                                                             # plain
    | expression (EQ | EQEQ | NE | LT | LE | GT | GE) value             # compare
    | expression (IS NOT? NULL | ISNULL | NOTNULL | NOT NULL)           # isNull
    | expression NOT? LIKE value (ESCAPE value)?                        # like
    | expression NOT? IN LPAREN query RPAREN                            # inQuery
    | expression NOT? IN LPAREN (expression (COMMA expression)*)? RPAREN  # inList
    | expression NOT? BETWEEN value AND value                           # between
    | (NOT | BANG) expression                                           # not
    | expression (AND | AMPERSANDS) expression                          # and
    | expression (OR | BARS) expression                                 # or
    ;

value
    : INTEGER                                                           # integer
    | DECIMAL                                                           # decimal
    | DURATION                                                          # duration
    | STRING                                                            # text
    | TRUE                                                              # true
    | FALSE                                                             # false
    | NULL                                                              # null
    | VARIABLE                                                          # variable
    | (CAST | TRY_CAST) LPAREN expression AS anyName RPAREN                # cast
    | CASE expression? whenClause+ (ELSE expression)? END               # case
    | EXISTS LPAREN query RPAREN                                        # exists
    | functionName LPAREN (STAR | DISTINCT? expression (COMMA expression)*)? RPAREN  # call
    | anyName DOT anyName (DOT anyName)?                                # qualifiedColumn
    | name                                                              # column
    | QUOTED                                                            # quoted
    | LPAREN query RPAREN                                               # scalarQuery
    | LPAREN expression RPAREN                                          # nested
    | (PLUS | MINUS) value                                              # sign
    | value (STAR | SLASH | PERCENT) value                              # product
    | value (PLUS | MINUS) value                                        # sum
    ;

whenClause
    : WHEN expression THEN expression
    ;

// ---- names ----

// A name where only a name can stand.
anyName
    : name
    | QUOTED
    ;

aliasName
    : anyName
    | STRING
    ;

// A name that follows an expression or a table without AS. No word of the language is one: where a word is not
// understood, that must not pass for a name.
bareName
    : IDENTIFIER
    | DELIMITED
    | QUOTED
    | STRING
    ;

functionName
    : IDENTIFIER
    | FIRST
    | ISNULL
    | LAST
    | LEFT
    | NOTNULL
    | REPLACE
    | RIGHT
    ;

// Words that stay free to name columns: webhooks choose the names of their fields.
name
    : IDENTIFIER
    | DELIMITED
    | ASC
    | BY
    | DELETE
    | DESC
    | END
    | ESCAPE
    | FIRST
    | FULL
    | INSERT
    | INTO
    | ISNULL
    | LAST
    | LEFT
    | NATURAL
    | NOTNULL
    | NULLS
    | OFFSET
    | OTHER_JOIN
    | OUTER
    | REPLACE
    | RIGHT
    | SET
    | UPDATE
    | USING
    | VALUES
    ;

// ---- words ----

ALL: 'ALL';
AND: 'AND';
AS: 'AS';
ASC: 'ASC';
BETWEEN: 'BETWEEN';
BY: 'BY';
CASE: 'CASE';
CAST: 'CAST';
CROSS: 'CROSS';
DELETE: 'DELETE';
DESC: 'DESC';
DISTINCT: 'DISTINCT';
ELSE: 'ELSE';
END: 'END';
ESCAPE: 'ESCAPE';
EXCEPT: 'EXCEPT';
EXISTS: 'EXISTS';
FALSE: 'FALSE';
FIRST: 'FIRST';
FROM: 'FROM';
FULL: 'FULL';
GROUP: 'GROUP';
HAVING: 'HAVING';
IN: 'IN';
INNER: 'INNER';
INSERT: 'INSERT';
INTERSECT: 'INTERSECT';
INTO: 'INTO';
IS: 'IS';
ISNULL: 'ISNULL';
JOIN: 'JOIN';
LAST: 'LAST';
LEFT: 'LEFT';
LIKE: 'LIKE';
LIMIT: 'LIMIT';
NATURAL: 'NATURAL';
NOT: 'NOT';
NOTNULL: 'NOTNULL';
NULL: 'NULL';
NULLS: 'NULLS';
OFFSET: 'OFFSET';
ON: 'ON';
OR: 'OR';
ORDER: 'ORDER';
OUTER: 'OUTER';
REPLACE: 'REPLACE';
RIGHT: 'RIGHT';
SELECT: 'SELECT';
SET: 'SET';
THEN: 'THEN';
TRUE: 'TRUE';
TRY_CAST: 'TRY_CAST';
UNION: 'UNION';
UPDATE: 'UPDATE';
USING: 'USING';
VALUES: 'VALUES';
WHEN: 'WHEN';
WHERE: 'WHERE';
WITH: 'WITH';

// Joins of other databases: before JOIN they would pass for the name of the table.
OTHER_JOIN: 'ANTI' | 'ASOF' | 'SEMI';

// ---- signs ----

AMPERSANDS: '&&';
BANG: '!';
BARS: '||';
COMMA: ',';
DOT: '.';
EQ: '=';
EQEQ: '==';
GE: '>=';
GT: '>';
LE: '<=';
LPAREN: '(';
LT: '<';
MINUS: '-';
NE: '<>' | '!=';
PERCENT: '%';
PLUS: '+';
RPAREN: ')';
SEMICOLON: ';';
SLASH: '/';
STAR: '*';

// ---- literals and names ----

INTEGER: [0-9]+;
DECIMAL: [0-9]+ '.' [0-9]* EXPONENT? | '.' [0-9]+ EXPONENT? | [0-9]+ EXPONENT;
fragment EXPONENT: 'E' [+-]? [0-9]+;

// An offset of a Range: 15m, 1d. m is minutes and M months, so its letter alone keeps its case.
DURATION: [0-9]+ [smhdwy];
BAD_NUMBER: [0-9]+ ('.' [0-9]*)? [A-Z_] [A-Z0-9_]*;

STRING: '\'' (~'\'' | '\'\'')* '\'';
QUOTED: '"' (~'"' | '""')* '"';
DELIMITED: '`' ~'`'+ '`' | '[' ~[\]\r\n]+ ']';
VARIABLE: '@' [\p{L}_] [\p{L}\p{Nd}_]*;
IDENTIFIER: [\p{L}_] [\p{L}\p{Nd}_$]*;

LINE_COMMENT: '--' ~[\r\n]* -> skip;
BLOCK_COMMENT: '/*' .*? '*/' -> skip;
BLANK: [\p{White_Space}\uFEFF]+ -> skip;

// Texts that open and do not close, and characters that are no part of the language: parse.ts refuses them.
OPEN_STRING: '\'' (~'\'' | '\'\'')*;
OPEN_QUOTED: '"' (~'"' | '""')*;
OPEN_COMMENT: '/*';
OTHER: .;
