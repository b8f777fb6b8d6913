// Made by npm run grammar.
// @ts-nocheck

import * as antlr from "antlr4ng";
import { Token } from "antlr4ng";

// for running tests with parameters, TODO: discuss strategy for typed parameters in CI
// eslint-disable-next-line no-unused-vars
type int = number;


export class GsSqlParser extends antlr.Parser {
    public static readonly ALL = 1;
    public static readonly AND = 2;
    public static readonly AS = 3;
    public static readonly ASC = 4;
    public static readonly BETWEEN = 5;
    public static readonly BY = 6;
    public static readonly CASE = 7;
    public static readonly CAST = 8;
    public static readonly CROSS = 9;
    public static readonly DELETE = 10;
    public static readonly DESC = 11;
    public static readonly DISTINCT = 12;
    public static readonly ELSE = 13;
    public static readonly END = 14;
    public static readonly ESCAPE = 15;
    public static readonly EXCEPT = 16;
    public static readonly EXISTS = 17;
    public static readonly FALSE = 18;
    public static readonly FIRST = 19;
    public static readonly FROM = 20;
    public static readonly FULL = 21;
    public static readonly GROUP = 22;
    public static readonly HAVING = 23;
    public static readonly IN = 24;
    public static readonly INNER = 25;
    public static readonly INSERT = 26;
    public static readonly INTERSECT = 27;
    public static readonly INTO = 28;
    public static readonly IS = 29;
    public static readonly ISNULL = 30;
    public static readonly JOIN = 31;
    public static readonly LAST = 32;
    public static readonly LEFT = 33;
    public static readonly LIKE = 34;
    public static readonly LIMIT = 35;
    public static readonly NATURAL = 36;
    public static readonly NOT = 37;
    public static readonly NOTNULL = 38;
    public static readonly NULL = 39;
    public static readonly NULLS = 40;
    public static readonly OFFSET = 41;
    public static readonly ON = 42;
    public static readonly OR = 43;
    public static readonly ORDER = 44;
    public static readonly OUTER = 45;
    public static readonly REPLACE = 46;
    public static readonly RIGHT = 47;
    public static readonly SELECT = 48;
    public static readonly SET = 49;
    public static readonly THEN = 50;
    public static readonly TRUE = 51;
    public static readonly TRY_CAST = 52;
    public static readonly UNION = 53;
    public static readonly UPDATE = 54;
    public static readonly USING = 55;
    public static readonly VALUES = 56;
    public static readonly WHEN = 57;
    public static readonly WHERE = 58;
    public static readonly WITH = 59;
    public static readonly OTHER_JOIN = 60;
    public static readonly AMPERSANDS = 61;
    public static readonly BANG = 62;
    public static readonly BARS = 63;
    public static readonly COMMA = 64;
    public static readonly DOT = 65;
    public static readonly EQ = 66;
    public static readonly EQEQ = 67;
    public static readonly GE = 68;
    public static readonly GT = 69;
    public static readonly LE = 70;
    public static readonly LPAREN = 71;
    public static readonly LT = 72;
    public static readonly MINUS = 73;
    public static readonly NE = 74;
    public static readonly PERCENT = 75;
    public static readonly PLUS = 76;
    public static readonly RPAREN = 77;
    public static readonly SEMICOLON = 78;
    public static readonly SLASH = 79;
    public static readonly STAR = 80;
    public static readonly INTEGER = 81;
    public static readonly DECIMAL = 82;
    public static readonly DURATION = 83;
    public static readonly BAD_NUMBER = 84;
    public static readonly STRING = 85;
    public static readonly QUOTED = 86;
    public static readonly DELIMITED = 87;
    public static readonly VARIABLE = 88;
    public static readonly IDENTIFIER = 89;
    public static readonly LINE_COMMENT = 90;
    public static readonly BLOCK_COMMENT = 91;
    public static readonly BLANK = 92;
    public static readonly OPEN_STRING = 93;
    public static readonly OPEN_QUOTED = 94;
    public static readonly OPEN_COMMENT = 95;
    public static readonly OTHER = 96;
    public static readonly RULE_script = 0;
    public static readonly RULE_statement = 1;
    public static readonly RULE_setVariable = 2;
    public static readonly RULE_insert = 3;
    public static readonly RULE_insertOption = 4;
    public static readonly RULE_update = 5;
    public static readonly RULE_assignment = 6;
    public static readonly RULE_delete = 7;
    public static readonly RULE_query = 8;
    public static readonly RULE_withClause = 9;
    public static readonly RULE_commonTable = 10;
    public static readonly RULE_queryBody = 11;
    public static readonly RULE_setOperator = 12;
    public static readonly RULE_selectTerm = 13;
    public static readonly RULE_select = 14;
    public static readonly RULE_values = 15;
    public static readonly RULE_valueRow = 16;
    public static readonly RULE_selectItem = 17;
    public static readonly RULE_groupBy = 18;
    public static readonly RULE_having = 19;
    public static readonly RULE_orderBy = 20;
    public static readonly RULE_orderTerm = 21;
    public static readonly RULE_limit = 22;
    public static readonly RULE_tables = 23;
    public static readonly RULE_join = 24;
    public static readonly RULE_joinCondition = 25;
    public static readonly RULE_table = 26;
    public static readonly RULE_tableSource = 27;
    public static readonly RULE_tableColumn = 28;
    public static readonly RULE_tableName = 29;
    public static readonly RULE_expression = 30;
    public static readonly RULE_value = 31;
    public static readonly RULE_whenClause = 32;
    public static readonly RULE_anyName = 33;
    public static readonly RULE_aliasName = 34;
    public static readonly RULE_bareName = 35;
    public static readonly RULE_functionName = 36;
    public static readonly RULE_name = 37;

    public static readonly literalNames = [
        null, "'ALL'", "'AND'", "'AS'", "'ASC'", "'BETWEEN'", "'BY'", "'CASE'", 
        "'CAST'", "'CROSS'", "'DELETE'", "'DESC'", "'DISTINCT'", "'ELSE'", 
        "'END'", "'ESCAPE'", "'EXCEPT'", "'EXISTS'", "'FALSE'", "'FIRST'", 
        "'FROM'", "'FULL'", "'GROUP'", "'HAVING'", "'IN'", "'INNER'", "'INSERT'", 
        "'INTERSECT'", "'INTO'", "'IS'", "'ISNULL'", "'JOIN'", "'LAST'", 
        "'LEFT'", "'LIKE'", "'LIMIT'", "'NATURAL'", "'NOT'", "'NOTNULL'", 
        "'NULL'", "'NULLS'", "'OFFSET'", "'ON'", "'OR'", "'ORDER'", "'OUTER'", 
        "'REPLACE'", "'RIGHT'", "'SELECT'", "'SET'", "'THEN'", "'TRUE'", 
        "'TRY_CAST'", "'UNION'", "'UPDATE'", "'USING'", "'VALUES'", "'WHEN'", 
        "'WHERE'", "'WITH'", null, "'&&'", "'!'", "'||'", "','", "'.'", 
        "'='", "'=='", "'>='", "'>'", "'<='", "'('", "'<'", "'-'", null, 
        "'%'", "'+'", "')'", "';'", "'/'", "'*'", null, null, null, null, 
        null, null, null, null, null, null, null, null, null, null, "'/*'"
    ];

    public static readonly symbolicNames = [
        null, "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", 
        "CROSS", "DELETE", "DESC", "DISTINCT", "ELSE", "END", "ESCAPE", 
        "EXCEPT", "EXISTS", "FALSE", "FIRST", "FROM", "FULL", "GROUP", "HAVING", 
        "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", 
        "LAST", "LEFT", "LIKE", "LIMIT", "NATURAL", "NOT", "NOTNULL", "NULL", 
        "NULLS", "OFFSET", "ON", "OR", "ORDER", "OUTER", "REPLACE", "RIGHT", 
        "SELECT", "SET", "THEN", "TRUE", "TRY_CAST", "UNION", "UPDATE", 
        "USING", "VALUES", "WHEN", "WHERE", "WITH", "OTHER_JOIN", "AMPERSANDS", 
        "BANG", "BARS", "COMMA", "DOT", "EQ", "EQEQ", "GE", "GT", "LE", 
        "LPAREN", "LT", "MINUS", "NE", "PERCENT", "PLUS", "RPAREN", "SEMICOLON", 
        "SLASH", "STAR", "INTEGER", "DECIMAL", "DURATION", "BAD_NUMBER", 
        "STRING", "QUOTED", "DELIMITED", "VARIABLE", "IDENTIFIER", "LINE_COMMENT", 
        "BLOCK_COMMENT", "BLANK", "OPEN_STRING", "OPEN_QUOTED", "OPEN_COMMENT", 
        "OTHER"
    ];
    public static readonly ruleNames = [
        "script", "statement", "setVariable", "insert", "insertOption", 
        "update", "assignment", "delete", "query", "withClause", "commonTable", 
        "queryBody", "setOperator", "selectTerm", "select", "values", "valueRow", 
        "selectItem", "groupBy", "having", "orderBy", "orderTerm", "limit", 
        "tables", "join", "joinCondition", "table", "tableSource", "tableColumn", 
        "tableName", "expression", "value", "whenClause", "anyName", "aliasName", 
        "bareName", "functionName", "name",
    ];

    public get grammarFileName(): string { return "GsSql.g4"; }
    public get literalNames(): (string | null)[] { return GsSqlParser.literalNames; }
    public get symbolicNames(): (string | null)[] { return GsSqlParser.symbolicNames; }
    public get ruleNames(): string[] { return GsSqlParser.ruleNames; }
    public get serializedATN(): number[] { return GsSqlParser._serializedATN; }

    protected createFailedPredicateException(predicate?: string, message?: string): antlr.FailedPredicateException {
        return new antlr.FailedPredicateException(this, predicate, message);
    }

    public constructor(input: antlr.TokenStream) {
        super(input);
        this.interpreter = new antlr.ParserATNSimulator(this, GsSqlParser._ATN, GsSqlParser.decisionsToDFA, new antlr.PredictionContextCache());
    }
    public script(): ScriptContext {
        let localContext = new ScriptContext(this.context, this.state);
        this.enterRule(localContext, 0, GsSqlParser.RULE_script);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 79;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 78) {
                {
                {
                this.state = 76;
                this.match(GsSqlParser.SEMICOLON);
                }
                }
                this.state = 81;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 100;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 10 || _la === 26 || ((((_la - 48)) & ~0x1F) === 0 && ((1 << (_la - 48)) & 2371) !== 0)) {
                {
                this.state = 82;
                this.statement();
                this.state = 91;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
                while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                    if (alternative === 1) {
                        {
                        {
                        this.state = 84;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        do {
                            {
                            {
                            this.state = 83;
                            this.match(GsSqlParser.SEMICOLON);
                            }
                            }
                            this.state = 86;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                        } while (_la === 78);
                        this.state = 88;
                        this.statement();
                        }
                        }
                    }
                    this.state = 93;
                    this.errorHandler.sync(this);
                    alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
                }
                this.state = 97;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 78) {
                    {
                    {
                    this.state = 94;
                    this.match(GsSqlParser.SEMICOLON);
                    }
                    }
                    this.state = 99;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                }
            }

            this.state = 102;
            this.match(GsSqlParser.EOF);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public statement(): StatementContext {
        let localContext = new StatementContext(this.context, this.state);
        this.enterRule(localContext, 2, GsSqlParser.RULE_statement);
        let _la: number;
        try {
            this.state = 114;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.SET:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 104;
                this.setVariable();
                }
                break;
            case GsSqlParser.INSERT:
            case GsSqlParser.SELECT:
            case GsSqlParser.VALUES:
            case GsSqlParser.WITH:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 106;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 59) {
                    {
                    this.state = 105;
                    this.withClause();
                    }
                }

                this.state = 110;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.INSERT:
                    {
                    this.state = 108;
                    this.insert();
                    }
                    break;
                case GsSqlParser.SELECT:
                case GsSqlParser.VALUES:
                    {
                    this.state = 109;
                    this.queryBody();
                    }
                    break;
                default:
                    throw new antlr.NoViableAltException(this);
                }
                }
                break;
            case GsSqlParser.UPDATE:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 112;
                this.update();
                }
                break;
            case GsSqlParser.DELETE:
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 113;
                this.delete_();
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public setVariable(): SetVariableContext {
        let localContext = new SetVariableContext(this.context, this.state);
        this.enterRule(localContext, 4, GsSqlParser.RULE_setVariable);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 116;
            this.match(GsSqlParser.SET);
            this.state = 117;
            this.match(GsSqlParser.VARIABLE);
            this.state = 118;
            _la = this.tokenStream.LA(1);
            if(!(_la === 66 || _la === 67)) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            this.state = 119;
            this.expression(0);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public insert(): InsertContext {
        let localContext = new InsertContext(this.context, this.state);
        this.enterRule(localContext, 6, GsSqlParser.RULE_insert);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 121;
            this.match(GsSqlParser.INSERT);
            this.state = 124;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 43) {
                {
                this.state = 122;
                this.match(GsSqlParser.OR);
                this.state = 123;
                this.match(GsSqlParser.REPLACE);
                }
            }

            this.state = 126;
            this.match(GsSqlParser.INTO);
            this.state = 127;
            this.tableName();
            this.state = 139;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 71) {
                {
                this.state = 128;
                this.match(GsSqlParser.LPAREN);
                this.state = 129;
                this.anyName();
                this.state = 134;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 130;
                    this.match(GsSqlParser.COMMA);
                    this.state = 131;
                    this.anyName();
                    }
                    }
                    this.state = 136;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 137;
                this.match(GsSqlParser.RPAREN);
                }
            }

            this.state = 153;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 12, this.context) ) {
            case 1:
                {
                this.state = 141;
                this.match(GsSqlParser.WITH);
                this.state = 142;
                this.match(GsSqlParser.LPAREN);
                this.state = 143;
                this.insertOption();
                this.state = 148;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 144;
                    this.match(GsSqlParser.COMMA);
                    this.state = 145;
                    this.insertOption();
                    }
                    }
                    this.state = 150;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 151;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            }
            this.state = 155;
            this.query();
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public insertOption(): InsertOptionContext {
        let localContext = new InsertOptionContext(this.context, this.state);
        this.enterRule(localContext, 8, GsSqlParser.RULE_insertOption);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 157;
            this.anyName();
            this.state = 158;
            this.match(GsSqlParser.EQ);
            this.state = 159;
            this.expression(0);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public update(): UpdateContext {
        let localContext = new UpdateContext(this.context, this.state);
        this.enterRule(localContext, 10, GsSqlParser.RULE_update);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 161;
            this.match(GsSqlParser.UPDATE);
            this.state = 162;
            this.tableName();
            this.state = 163;
            this.match(GsSqlParser.SET);
            this.state = 164;
            this.assignment();
            this.state = 169;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 165;
                this.match(GsSqlParser.COMMA);
                this.state = 166;
                this.assignment();
                }
                }
                this.state = 171;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 174;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 172;
                this.match(GsSqlParser.WHERE);
                this.state = 173;
                this.expression(0);
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public assignment(): AssignmentContext {
        let localContext = new AssignmentContext(this.context, this.state);
        this.enterRule(localContext, 12, GsSqlParser.RULE_assignment);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 176;
            this.anyName();
            this.state = 177;
            this.match(GsSqlParser.EQ);
            this.state = 178;
            this.expression(0);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public delete_(): DeleteContext {
        let localContext = new DeleteContext(this.context, this.state);
        this.enterRule(localContext, 14, GsSqlParser.RULE_delete);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 180;
            this.match(GsSqlParser.DELETE);
            this.state = 181;
            this.match(GsSqlParser.FROM);
            this.state = 182;
            this.tableName();
            this.state = 185;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 183;
                this.match(GsSqlParser.WHERE);
                this.state = 184;
                this.expression(0);
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public query(): QueryContext {
        let localContext = new QueryContext(this.context, this.state);
        this.enterRule(localContext, 16, GsSqlParser.RULE_query);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 188;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 59) {
                {
                this.state = 187;
                this.withClause();
                }
            }

            this.state = 190;
            this.queryBody();
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public withClause(): WithClauseContext {
        let localContext = new WithClauseContext(this.context, this.state);
        this.enterRule(localContext, 18, GsSqlParser.RULE_withClause);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 192;
            this.match(GsSqlParser.WITH);
            this.state = 193;
            this.commonTable();
            this.state = 198;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 194;
                this.match(GsSqlParser.COMMA);
                this.state = 195;
                this.commonTable();
                }
                }
                this.state = 200;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public commonTable(): CommonTableContext {
        let localContext = new CommonTableContext(this.context, this.state);
        this.enterRule(localContext, 20, GsSqlParser.RULE_commonTable);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 201;
            this.anyName();
            this.state = 213;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 71) {
                {
                this.state = 202;
                this.match(GsSqlParser.LPAREN);
                this.state = 203;
                this.anyName();
                this.state = 208;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 204;
                    this.match(GsSqlParser.COMMA);
                    this.state = 205;
                    this.anyName();
                    }
                    }
                    this.state = 210;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 211;
                this.match(GsSqlParser.RPAREN);
                }
            }

            this.state = 215;
            this.match(GsSqlParser.AS);
            this.state = 216;
            this.match(GsSqlParser.LPAREN);
            this.state = 217;
            this.query();
            this.state = 218;
            this.match(GsSqlParser.RPAREN);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public queryBody(): QueryBodyContext {
        let localContext = new QueryBodyContext(this.context, this.state);
        this.enterRule(localContext, 22, GsSqlParser.RULE_queryBody);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 220;
            this.selectTerm();
            this.state = 226;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 16 || _la === 27 || _la === 53) {
                {
                {
                this.state = 221;
                this.setOperator();
                this.state = 222;
                this.selectTerm();
                }
                }
                this.state = 228;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 230;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 44) {
                {
                this.state = 229;
                this.orderBy();
                }
            }

            this.state = 233;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 35) {
                {
                this.state = 232;
                this.limit();
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public setOperator(): SetOperatorContext {
        let localContext = new SetOperatorContext(this.context, this.state);
        this.enterRule(localContext, 24, GsSqlParser.RULE_setOperator);
        let _la: number;
        try {
            this.state = 241;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.UNION:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 235;
                this.match(GsSqlParser.UNION);
                this.state = 237;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 1) {
                    {
                    this.state = 236;
                    this.match(GsSqlParser.ALL);
                    }
                }

                }
                break;
            case GsSqlParser.EXCEPT:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 239;
                this.match(GsSqlParser.EXCEPT);
                }
                break;
            case GsSqlParser.INTERSECT:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 240;
                this.match(GsSqlParser.INTERSECT);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public selectTerm(): SelectTermContext {
        let localContext = new SelectTermContext(this.context, this.state);
        this.enterRule(localContext, 26, GsSqlParser.RULE_selectTerm);
        try {
            this.state = 245;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.SELECT:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 243;
                this.select();
                }
                break;
            case GsSqlParser.VALUES:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 244;
                this.values();
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public select(): SelectContext {
        let localContext = new SelectContext(this.context, this.state);
        this.enterRule(localContext, 28, GsSqlParser.RULE_select);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 247;
            this.match(GsSqlParser.SELECT);
            this.state = 249;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 1 || _la === 12) {
                {
                this.state = 248;
                _la = this.tokenStream.LA(1);
                if(!(_la === 1 || _la === 12)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                }
            }

            this.state = 251;
            this.selectItem();
            this.state = 256;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 252;
                this.match(GsSqlParser.COMMA);
                this.state = 253;
                this.selectItem();
                }
                }
                this.state = 258;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 261;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 20) {
                {
                this.state = 259;
                this.match(GsSqlParser.FROM);
                this.state = 260;
                this.tables();
                }
            }

            this.state = 265;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 263;
                this.match(GsSqlParser.WHERE);
                this.state = 264;
                this.expression(0);
                }
            }

            this.state = 268;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 22) {
                {
                this.state = 267;
                this.groupBy();
                }
            }

            this.state = 271;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 23) {
                {
                this.state = 270;
                this.having();
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public values(): ValuesContext {
        let localContext = new ValuesContext(this.context, this.state);
        this.enterRule(localContext, 30, GsSqlParser.RULE_values);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 273;
            this.match(GsSqlParser.VALUES);
            this.state = 274;
            this.valueRow();
            this.state = 279;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 275;
                this.match(GsSqlParser.COMMA);
                this.state = 276;
                this.valueRow();
                }
                }
                this.state = 281;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public valueRow(): ValueRowContext {
        let localContext = new ValueRowContext(this.context, this.state);
        this.enterRule(localContext, 32, GsSqlParser.RULE_valueRow);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 282;
            this.match(GsSqlParser.LPAREN);
            this.state = 283;
            this.expression(0);
            this.state = 288;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 284;
                this.match(GsSqlParser.COMMA);
                this.state = 285;
                this.expression(0);
                }
                }
                this.state = 290;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 291;
            this.match(GsSqlParser.RPAREN);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public selectItem(): SelectItemContext {
        let localContext = new SelectItemContext(this.context, this.state);
        this.enterRule(localContext, 34, GsSqlParser.RULE_selectItem);
        try {
            this.state = 304;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 35, this.context) ) {
            case 1:
                localContext = new AllColumnsContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 293;
                this.match(GsSqlParser.STAR);
                }
                break;
            case 2:
                localContext = new TableColumnsContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 294;
                this.anyName();
                this.state = 295;
                this.match(GsSqlParser.DOT);
                this.state = 296;
                this.match(GsSqlParser.STAR);
                }
                break;
            case 3:
                localContext = new OneColumnContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 298;
                this.expression(0);
                this.state = 302;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.AS:
                    {
                    this.state = 299;
                    this.match(GsSqlParser.AS);
                    this.state = 300;
                    this.aliasName();
                    }
                    break;
                case GsSqlParser.STRING:
                case GsSqlParser.QUOTED:
                case GsSqlParser.DELIMITED:
                case GsSqlParser.IDENTIFIER:
                    {
                    this.state = 301;
                    this.bareName();
                    }
                    break;
                case GsSqlParser.EOF:
                case GsSqlParser.EXCEPT:
                case GsSqlParser.FROM:
                case GsSqlParser.GROUP:
                case GsSqlParser.HAVING:
                case GsSqlParser.INTERSECT:
                case GsSqlParser.LIMIT:
                case GsSqlParser.ORDER:
                case GsSqlParser.UNION:
                case GsSqlParser.WHERE:
                case GsSqlParser.COMMA:
                case GsSqlParser.RPAREN:
                case GsSqlParser.SEMICOLON:
                    break;
                default:
                    break;
                }
                }
                break;
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public groupBy(): GroupByContext {
        let localContext = new GroupByContext(this.context, this.state);
        this.enterRule(localContext, 36, GsSqlParser.RULE_groupBy);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 306;
            this.match(GsSqlParser.GROUP);
            this.state = 307;
            this.match(GsSqlParser.BY);
            this.state = 308;
            this.expression(0);
            this.state = 313;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 309;
                this.match(GsSqlParser.COMMA);
                this.state = 310;
                this.expression(0);
                }
                }
                this.state = 315;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public having(): HavingContext {
        let localContext = new HavingContext(this.context, this.state);
        this.enterRule(localContext, 38, GsSqlParser.RULE_having);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 316;
            this.match(GsSqlParser.HAVING);
            this.state = 317;
            this.expression(0);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public orderBy(): OrderByContext {
        let localContext = new OrderByContext(this.context, this.state);
        this.enterRule(localContext, 40, GsSqlParser.RULE_orderBy);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 319;
            this.match(GsSqlParser.ORDER);
            this.state = 320;
            this.match(GsSqlParser.BY);
            this.state = 321;
            this.orderTerm();
            this.state = 326;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 322;
                this.match(GsSqlParser.COMMA);
                this.state = 323;
                this.orderTerm();
                }
                }
                this.state = 328;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public orderTerm(): OrderTermContext {
        let localContext = new OrderTermContext(this.context, this.state);
        this.enterRule(localContext, 42, GsSqlParser.RULE_orderTerm);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 329;
            this.expression(0);
            this.state = 331;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 4 || _la === 11) {
                {
                this.state = 330;
                _la = this.tokenStream.LA(1);
                if(!(_la === 4 || _la === 11)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                }
            }

            this.state = 335;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 40) {
                {
                this.state = 333;
                this.match(GsSqlParser.NULLS);
                this.state = 334;
                _la = this.tokenStream.LA(1);
                if(!(_la === 19 || _la === 32)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public limit(): LimitContext {
        let localContext = new LimitContext(this.context, this.state);
        this.enterRule(localContext, 44, GsSqlParser.RULE_limit);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 337;
            this.match(GsSqlParser.LIMIT);
            this.state = 338;
            this.expression(0);
            this.state = 341;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 41) {
                {
                this.state = 339;
                this.match(GsSqlParser.OFFSET);
                this.state = 340;
                this.expression(0);
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public tables(): TablesContext {
        let localContext = new TablesContext(this.context, this.state);
        this.enterRule(localContext, 46, GsSqlParser.RULE_tables);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 343;
            this.table();
            this.state = 349;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while ((((_la) & ~0x1F) === 0 && ((1 << _la) & 2183135744) !== 0) || ((((_la - 33)) & ~0x1F) === 0 && ((1 << (_la - 33)) & 2147500041) !== 0)) {
                {
                this.state = 347;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.COMMA:
                    {
                    this.state = 344;
                    this.match(GsSqlParser.COMMA);
                    this.state = 345;
                    this.table();
                    }
                    break;
                case GsSqlParser.CROSS:
                case GsSqlParser.FULL:
                case GsSqlParser.INNER:
                case GsSqlParser.JOIN:
                case GsSqlParser.LEFT:
                case GsSqlParser.NATURAL:
                case GsSqlParser.RIGHT:
                    {
                    this.state = 346;
                    this.join();
                    }
                    break;
                default:
                    throw new antlr.NoViableAltException(this);
                }
                }
                this.state = 351;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public join(): JoinContext {
        let localContext = new JoinContext(this.context, this.state);
        this.enterRule(localContext, 48, GsSqlParser.RULE_join);
        let _la: number;
        try {
            this.state = 383;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.CROSS:
                localContext = new CrossJoinContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 352;
                this.match(GsSqlParser.CROSS);
                this.state = 353;
                this.match(GsSqlParser.JOIN);
                this.state = 354;
                this.table();
                }
                break;
            case GsSqlParser.INNER:
            case GsSqlParser.JOIN:
                localContext = new InnerJoinContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 356;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 25) {
                    {
                    this.state = 355;
                    this.match(GsSqlParser.INNER);
                    }
                }

                this.state = 358;
                this.match(GsSqlParser.JOIN);
                this.state = 359;
                this.table();
                this.state = 361;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 42 || _la === 55) {
                    {
                    this.state = 360;
                    this.joinCondition();
                    }
                }

                }
                break;
            case GsSqlParser.FULL:
            case GsSqlParser.LEFT:
            case GsSqlParser.RIGHT:
                localContext = new OuterJoinContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 363;
                _la = this.tokenStream.LA(1);
                if(!(((((_la - 21)) & ~0x1F) === 0 && ((1 << (_la - 21)) & 67112961) !== 0))) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 365;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 45) {
                    {
                    this.state = 364;
                    this.match(GsSqlParser.OUTER);
                    }
                }

                this.state = 367;
                this.match(GsSqlParser.JOIN);
                this.state = 368;
                this.table();
                this.state = 370;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 42 || _la === 55) {
                    {
                    this.state = 369;
                    this.joinCondition();
                    }
                }

                }
                break;
            case GsSqlParser.NATURAL:
                localContext = new NaturalJoinContext(localContext);
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 372;
                this.match(GsSqlParser.NATURAL);
                this.state = 379;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.INNER:
                    {
                    this.state = 373;
                    this.match(GsSqlParser.INNER);
                    }
                    break;
                case GsSqlParser.CROSS:
                    {
                    this.state = 374;
                    this.match(GsSqlParser.CROSS);
                    }
                    break;
                case GsSqlParser.FULL:
                case GsSqlParser.LEFT:
                case GsSqlParser.RIGHT:
                    {
                    this.state = 375;
                    _la = this.tokenStream.LA(1);
                    if(!(((((_la - 21)) & ~0x1F) === 0 && ((1 << (_la - 21)) & 67112961) !== 0))) {
                    this.errorHandler.recoverInline(this);
                    }
                    else {
                        this.errorHandler.reportMatch(this);
                        this.consume();
                    }
                    this.state = 377;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    if (_la === 45) {
                        {
                        this.state = 376;
                        this.match(GsSqlParser.OUTER);
                        }
                    }

                    }
                    break;
                case GsSqlParser.JOIN:
                    break;
                default:
                    break;
                }
                this.state = 381;
                this.match(GsSqlParser.JOIN);
                this.state = 382;
                this.table();
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public joinCondition(): JoinConditionContext {
        let localContext = new JoinConditionContext(this.context, this.state);
        this.enterRule(localContext, 50, GsSqlParser.RULE_joinCondition);
        let _la: number;
        try {
            this.state = 399;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ON:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 385;
                this.match(GsSqlParser.ON);
                this.state = 386;
                this.expression(0);
                }
                break;
            case GsSqlParser.USING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 387;
                this.match(GsSqlParser.USING);
                this.state = 388;
                this.match(GsSqlParser.LPAREN);
                this.state = 389;
                this.anyName();
                this.state = 394;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 390;
                    this.match(GsSqlParser.COMMA);
                    this.state = 391;
                    this.anyName();
                    }
                    }
                    this.state = 396;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 397;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public table(): TableContext {
        let localContext = new TableContext(this.context, this.state);
        this.enterRule(localContext, 52, GsSqlParser.RULE_table);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 401;
            this.tableSource();
            this.state = 405;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.AS:
                {
                this.state = 402;
                this.match(GsSqlParser.AS);
                this.state = 403;
                this.aliasName();
                }
                break;
            case GsSqlParser.STRING:
            case GsSqlParser.QUOTED:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                {
                this.state = 404;
                this.bareName();
                }
                break;
            case GsSqlParser.EOF:
            case GsSqlParser.CROSS:
            case GsSqlParser.EXCEPT:
            case GsSqlParser.FULL:
            case GsSqlParser.GROUP:
            case GsSqlParser.HAVING:
            case GsSqlParser.INNER:
            case GsSqlParser.INTERSECT:
            case GsSqlParser.JOIN:
            case GsSqlParser.LEFT:
            case GsSqlParser.LIMIT:
            case GsSqlParser.NATURAL:
            case GsSqlParser.ON:
            case GsSqlParser.ORDER:
            case GsSqlParser.RIGHT:
            case GsSqlParser.UNION:
            case GsSqlParser.USING:
            case GsSqlParser.WHERE:
            case GsSqlParser.COMMA:
            case GsSqlParser.RPAREN:
            case GsSqlParser.SEMICOLON:
                break;
            default:
                break;
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public tableSource(): TableSourceContext {
        let localContext = new TableSourceContext(this.context, this.state);
        this.enterRule(localContext, 54, GsSqlParser.RULE_tableSource);
        let _la: number;
        try {
            this.state = 439;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 57, this.context) ) {
            case 1:
                localContext = new TableFunctionContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 407;
                this.anyName();
                this.state = 408;
                this.match(GsSqlParser.LPAREN);
                this.state = 417;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 1412353488) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 1373299699) !== 0) || ((((_la - 71)) & ~0x1F) === 0 && ((1 << (_la - 71)) & 515109) !== 0)) {
                    {
                    this.state = 409;
                    this.expression(0);
                    this.state = 414;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 64) {
                        {
                        {
                        this.state = 410;
                        this.match(GsSqlParser.COMMA);
                        this.state = 411;
                        this.expression(0);
                        }
                        }
                        this.state = 416;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    }
                }

                this.state = 419;
                this.match(GsSqlParser.RPAREN);
                this.state = 432;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 59) {
                    {
                    this.state = 420;
                    this.match(GsSqlParser.WITH);
                    this.state = 421;
                    this.match(GsSqlParser.LPAREN);
                    this.state = 422;
                    this.tableColumn();
                    this.state = 427;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 64) {
                        {
                        {
                        this.state = 423;
                        this.match(GsSqlParser.COMMA);
                        this.state = 424;
                        this.tableColumn();
                        }
                        }
                        this.state = 429;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    this.state = 430;
                    this.match(GsSqlParser.RPAREN);
                    }
                }

                }
                break;
            case 2:
                localContext = new NamedTableContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 434;
                this.tableName();
                }
                break;
            case 3:
                localContext = new QueryTableContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 435;
                this.match(GsSqlParser.LPAREN);
                this.state = 436;
                this.query();
                this.state = 437;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public tableColumn(): TableColumnContext {
        let localContext = new TableColumnContext(this.context, this.state);
        this.enterRule(localContext, 56, GsSqlParser.RULE_tableColumn);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 442;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 81) {
                {
                this.state = 441;
                this.match(GsSqlParser.INTEGER);
                }
            }

            this.state = 444;
            this.anyName();
            this.state = 445;
            this.anyName();
            this.state = 447;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 85 || _la === 86) {
                {
                this.state = 446;
                _la = this.tokenStream.LA(1);
                if(!(_la === 85 || _la === 86)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public tableName(): TableNameContext {
        let localContext = new TableNameContext(this.context, this.state);
        this.enterRule(localContext, 58, GsSqlParser.RULE_tableName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 449;
            this.anyName();
            this.state = 452;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 65) {
                {
                this.state = 450;
                this.match(GsSqlParser.DOT);
                this.state = 451;
                this.anyName();
                }
            }

            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }

    public expression(): ExpressionContext;
    public expression(_p: number): ExpressionContext;
    public expression(_p?: number): ExpressionContext {
        if (_p === undefined) {
            _p = 0;
        }

        let parentContext = this.context;
        let parentState = this.state;
        let localContext = new ExpressionContext(this.context, parentState);
        let previousContext = localContext;
        let _startState = 60;
        this.enterRecursionRule(localContext, 60, GsSqlParser.RULE_expression, _p);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 458;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ASC:
            case GsSqlParser.BY:
            case GsSqlParser.CASE:
            case GsSqlParser.CAST:
            case GsSqlParser.DELETE:
            case GsSqlParser.DESC:
            case GsSqlParser.END:
            case GsSqlParser.ESCAPE:
            case GsSqlParser.EXISTS:
            case GsSqlParser.FALSE:
            case GsSqlParser.FIRST:
            case GsSqlParser.FULL:
            case GsSqlParser.INSERT:
            case GsSqlParser.INTO:
            case GsSqlParser.ISNULL:
            case GsSqlParser.LAST:
            case GsSqlParser.LEFT:
            case GsSqlParser.NATURAL:
            case GsSqlParser.NOTNULL:
            case GsSqlParser.NULL:
            case GsSqlParser.NULLS:
            case GsSqlParser.OFFSET:
            case GsSqlParser.OUTER:
            case GsSqlParser.REPLACE:
            case GsSqlParser.RIGHT:
            case GsSqlParser.SET:
            case GsSqlParser.TRUE:
            case GsSqlParser.TRY_CAST:
            case GsSqlParser.UPDATE:
            case GsSqlParser.USING:
            case GsSqlParser.VALUES:
            case GsSqlParser.OTHER_JOIN:
            case GsSqlParser.LPAREN:
            case GsSqlParser.MINUS:
            case GsSqlParser.PLUS:
            case GsSqlParser.INTEGER:
            case GsSqlParser.DECIMAL:
            case GsSqlParser.DURATION:
            case GsSqlParser.STRING:
            case GsSqlParser.QUOTED:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.VARIABLE:
            case GsSqlParser.IDENTIFIER:
                {
                localContext = new PlainContext(localContext);
                this.context = localContext;
                previousContext = localContext;

                this.state = 455;
                this.value(0);
                }
                break;
            case GsSqlParser.NOT:
            case GsSqlParser.BANG:
                {
                localContext = new NotContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 456;
                _la = this.tokenStream.LA(1);
                if(!(_la === 37 || _la === 62)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 457;
                this.expression(3);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 528;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 72, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 526;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 71, this.context) ) {
                    case 1:
                        {
                        localContext = new AndContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 460;
                        if (!(this.precpred(this.context, 2))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 2)");
                        }
                        this.state = 461;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 2 || _la === 61)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 462;
                        this.expression(3);
                        }
                        break;
                    case 2:
                        {
                        localContext = new OrContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 463;
                        if (!(this.precpred(this.context, 1))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 1)");
                        }
                        this.state = 464;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 43 || _la === 63)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 465;
                        this.expression(2);
                        }
                        break;
                    case 3:
                        {
                        localContext = new CompareContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 466;
                        if (!(this.precpred(this.context, 9))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 9)");
                        }
                        this.state = 467;
                        _la = this.tokenStream.LA(1);
                        if(!(((((_la - 66)) & ~0x1F) === 0 && ((1 << (_la - 66)) & 351) !== 0))) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 468;
                        this.value(0);
                        }
                        break;
                    case 4:
                        {
                        localContext = new IsNullContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 469;
                        if (!(this.precpred(this.context, 8))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 8)");
                        }
                        this.state = 479;
                        this.errorHandler.sync(this);
                        switch (this.tokenStream.LA(1)) {
                        case GsSqlParser.IS:
                            {
                            this.state = 470;
                            this.match(GsSqlParser.IS);
                            this.state = 472;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                            if (_la === 37) {
                                {
                                this.state = 471;
                                this.match(GsSqlParser.NOT);
                                }
                            }

                            this.state = 474;
                            this.match(GsSqlParser.NULL);
                            }
                            break;
                        case GsSqlParser.ISNULL:
                            {
                            this.state = 475;
                            this.match(GsSqlParser.ISNULL);
                            }
                            break;
                        case GsSqlParser.NOTNULL:
                            {
                            this.state = 476;
                            this.match(GsSqlParser.NOTNULL);
                            }
                            break;
                        case GsSqlParser.NOT:
                            {
                            this.state = 477;
                            this.match(GsSqlParser.NOT);
                            this.state = 478;
                            this.match(GsSqlParser.NULL);
                            }
                            break;
                        default:
                            throw new antlr.NoViableAltException(this);
                        }
                        }
                        break;
                    case 5:
                        {
                        localContext = new LikeContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 481;
                        if (!(this.precpred(this.context, 7))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 7)");
                        }
                        this.state = 483;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 482;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 485;
                        this.match(GsSqlParser.LIKE);
                        this.state = 486;
                        this.value(0);
                        this.state = 489;
                        this.errorHandler.sync(this);
                        switch (this.interpreter.adaptivePredict(this.tokenStream, 65, this.context) ) {
                        case 1:
                            {
                            this.state = 487;
                            this.match(GsSqlParser.ESCAPE);
                            this.state = 488;
                            this.value(0);
                            }
                            break;
                        }
                        }
                        break;
                    case 6:
                        {
                        localContext = new InQueryContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 491;
                        if (!(this.precpred(this.context, 6))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 6)");
                        }
                        this.state = 493;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 492;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 495;
                        this.match(GsSqlParser.IN);
                        this.state = 496;
                        this.match(GsSqlParser.LPAREN);
                        this.state = 497;
                        this.query();
                        this.state = 498;
                        this.match(GsSqlParser.RPAREN);
                        }
                        break;
                    case 7:
                        {
                        localContext = new InListContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 500;
                        if (!(this.precpred(this.context, 5))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 5)");
                        }
                        this.state = 502;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 501;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 504;
                        this.match(GsSqlParser.IN);
                        this.state = 505;
                        this.match(GsSqlParser.LPAREN);
                        this.state = 514;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 1412353488) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 1373299699) !== 0) || ((((_la - 71)) & ~0x1F) === 0 && ((1 << (_la - 71)) & 515109) !== 0)) {
                            {
                            this.state = 506;
                            this.expression(0);
                            this.state = 511;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                            while (_la === 64) {
                                {
                                {
                                this.state = 507;
                                this.match(GsSqlParser.COMMA);
                                this.state = 508;
                                this.expression(0);
                                }
                                }
                                this.state = 513;
                                this.errorHandler.sync(this);
                                _la = this.tokenStream.LA(1);
                            }
                            }
                        }

                        this.state = 516;
                        this.match(GsSqlParser.RPAREN);
                        }
                        break;
                    case 8:
                        {
                        localContext = new BetweenContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 517;
                        if (!(this.precpred(this.context, 4))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 4)");
                        }
                        this.state = 519;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 518;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 521;
                        this.match(GsSqlParser.BETWEEN);
                        this.state = 522;
                        this.value(0);
                        this.state = 523;
                        this.match(GsSqlParser.AND);
                        this.state = 524;
                        this.value(0);
                        }
                        break;
                    }
                    }
                }
                this.state = 530;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 72, this.context);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.unrollRecursionContexts(parentContext);
        }
        return localContext;
    }

    public value(): ValueContext;
    public value(_p: number): ValueContext;
    public value(_p?: number): ValueContext {
        if (_p === undefined) {
            _p = 0;
        }

        let parentContext = this.context;
        let parentState = this.state;
        let localContext = new ValueContext(this.context, parentState);
        let previousContext = localContext;
        let _startState = 62;
        this.enterRecursionRule(localContext, 62, GsSqlParser.RULE_value, _p);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 604;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 80, this.context) ) {
            case 1:
                {
                localContext = new IntegerContext(localContext);
                this.context = localContext;
                previousContext = localContext;

                this.state = 532;
                this.match(GsSqlParser.INTEGER);
                }
                break;
            case 2:
                {
                localContext = new DecimalContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 533;
                this.match(GsSqlParser.DECIMAL);
                }
                break;
            case 3:
                {
                localContext = new DurationContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 534;
                this.match(GsSqlParser.DURATION);
                }
                break;
            case 4:
                {
                localContext = new TextContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 535;
                this.match(GsSqlParser.STRING);
                }
                break;
            case 5:
                {
                localContext = new TrueContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 536;
                this.match(GsSqlParser.TRUE);
                }
                break;
            case 6:
                {
                localContext = new FalseContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 537;
                this.match(GsSqlParser.FALSE);
                }
                break;
            case 7:
                {
                localContext = new NullContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 538;
                this.match(GsSqlParser.NULL);
                }
                break;
            case 8:
                {
                localContext = new VariableContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 539;
                this.match(GsSqlParser.VARIABLE);
                }
                break;
            case 9:
                {
                localContext = new CastContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 540;
                _la = this.tokenStream.LA(1);
                if(!(_la === 8 || _la === 52)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 541;
                this.match(GsSqlParser.LPAREN);
                this.state = 542;
                this.expression(0);
                this.state = 543;
                this.match(GsSqlParser.AS);
                this.state = 544;
                this.anyName();
                this.state = 545;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 10:
                {
                localContext = new CaseContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 547;
                this.match(GsSqlParser.CASE);
                this.state = 549;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 1412353488) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 1373299699) !== 0) || ((((_la - 71)) & ~0x1F) === 0 && ((1 << (_la - 71)) & 515109) !== 0)) {
                    {
                    this.state = 548;
                    this.expression(0);
                    }
                }

                this.state = 552;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                do {
                    {
                    {
                    this.state = 551;
                    this.whenClause();
                    }
                    }
                    this.state = 554;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                } while (_la === 57);
                this.state = 558;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 13) {
                    {
                    this.state = 556;
                    this.match(GsSqlParser.ELSE);
                    this.state = 557;
                    this.expression(0);
                    }
                }

                this.state = 560;
                this.match(GsSqlParser.END);
                }
                break;
            case 11:
                {
                localContext = new ExistsContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 562;
                this.match(GsSqlParser.EXISTS);
                this.state = 563;
                this.match(GsSqlParser.LPAREN);
                this.state = 564;
                this.query();
                this.state = 565;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 12:
                {
                localContext = new CallContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 567;
                this.functionName();
                this.state = 568;
                this.match(GsSqlParser.LPAREN);
                this.state = 581;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.STAR:
                    {
                    this.state = 569;
                    this.match(GsSqlParser.STAR);
                    }
                    break;
                case GsSqlParser.ASC:
                case GsSqlParser.BY:
                case GsSqlParser.CASE:
                case GsSqlParser.CAST:
                case GsSqlParser.DELETE:
                case GsSqlParser.DESC:
                case GsSqlParser.DISTINCT:
                case GsSqlParser.END:
                case GsSqlParser.ESCAPE:
                case GsSqlParser.EXISTS:
                case GsSqlParser.FALSE:
                case GsSqlParser.FIRST:
                case GsSqlParser.FULL:
                case GsSqlParser.INSERT:
                case GsSqlParser.INTO:
                case GsSqlParser.ISNULL:
                case GsSqlParser.LAST:
                case GsSqlParser.LEFT:
                case GsSqlParser.NATURAL:
                case GsSqlParser.NOT:
                case GsSqlParser.NOTNULL:
                case GsSqlParser.NULL:
                case GsSqlParser.NULLS:
                case GsSqlParser.OFFSET:
                case GsSqlParser.OUTER:
                case GsSqlParser.REPLACE:
                case GsSqlParser.RIGHT:
                case GsSqlParser.SET:
                case GsSqlParser.TRUE:
                case GsSqlParser.TRY_CAST:
                case GsSqlParser.UPDATE:
                case GsSqlParser.USING:
                case GsSqlParser.VALUES:
                case GsSqlParser.OTHER_JOIN:
                case GsSqlParser.BANG:
                case GsSqlParser.LPAREN:
                case GsSqlParser.MINUS:
                case GsSqlParser.PLUS:
                case GsSqlParser.INTEGER:
                case GsSqlParser.DECIMAL:
                case GsSqlParser.DURATION:
                case GsSqlParser.STRING:
                case GsSqlParser.QUOTED:
                case GsSqlParser.DELIMITED:
                case GsSqlParser.VARIABLE:
                case GsSqlParser.IDENTIFIER:
                    {
                    this.state = 571;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    if (_la === 12) {
                        {
                        this.state = 570;
                        this.match(GsSqlParser.DISTINCT);
                        }
                    }

                    this.state = 573;
                    this.expression(0);
                    this.state = 578;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 64) {
                        {
                        {
                        this.state = 574;
                        this.match(GsSqlParser.COMMA);
                        this.state = 575;
                        this.expression(0);
                        }
                        }
                        this.state = 580;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    }
                    break;
                case GsSqlParser.RPAREN:
                    break;
                default:
                    break;
                }
                this.state = 583;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 13:
                {
                localContext = new QualifiedColumnContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 585;
                this.anyName();
                this.state = 586;
                this.match(GsSqlParser.DOT);
                this.state = 587;
                this.anyName();
                this.state = 590;
                this.errorHandler.sync(this);
                switch (this.interpreter.adaptivePredict(this.tokenStream, 79, this.context) ) {
                case 1:
                    {
                    this.state = 588;
                    this.match(GsSqlParser.DOT);
                    this.state = 589;
                    this.anyName();
                    }
                    break;
                }
                }
                break;
            case 14:
                {
                localContext = new ColumnContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 592;
                this.name();
                }
                break;
            case 15:
                {
                localContext = new QuotedContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 593;
                this.match(GsSqlParser.QUOTED);
                }
                break;
            case 16:
                {
                localContext = new ScalarQueryContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 594;
                this.match(GsSqlParser.LPAREN);
                this.state = 595;
                this.query();
                this.state = 596;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 17:
                {
                localContext = new NestedContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 598;
                this.match(GsSqlParser.LPAREN);
                this.state = 599;
                this.expression(0);
                this.state = 600;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 18:
                {
                localContext = new SignContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 602;
                _la = this.tokenStream.LA(1);
                if(!(_la === 73 || _la === 76)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 603;
                this.value(3);
                }
                break;
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 614;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 82, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 612;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 81, this.context) ) {
                    case 1:
                        {
                        localContext = new ProductContext(new ValueContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_value);
                        this.state = 606;
                        if (!(this.precpred(this.context, 2))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 2)");
                        }
                        this.state = 607;
                        _la = this.tokenStream.LA(1);
                        if(!(((((_la - 75)) & ~0x1F) === 0 && ((1 << (_la - 75)) & 49) !== 0))) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 608;
                        this.value(3);
                        }
                        break;
                    case 2:
                        {
                        localContext = new SumContext(new ValueContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_value);
                        this.state = 609;
                        if (!(this.precpred(this.context, 1))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 1)");
                        }
                        this.state = 610;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 73 || _la === 76)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 611;
                        this.value(2);
                        }
                        break;
                    }
                    }
                }
                this.state = 616;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 82, this.context);
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.unrollRecursionContexts(parentContext);
        }
        return localContext;
    }
    public whenClause(): WhenClauseContext {
        let localContext = new WhenClauseContext(this.context, this.state);
        this.enterRule(localContext, 64, GsSqlParser.RULE_whenClause);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 617;
            this.match(GsSqlParser.WHEN);
            this.state = 618;
            this.expression(0);
            this.state = 619;
            this.match(GsSqlParser.THEN);
            this.state = 620;
            this.expression(0);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public anyName(): AnyNameContext {
        let localContext = new AnyNameContext(this.context, this.state);
        this.enterRule(localContext, 66, GsSqlParser.RULE_anyName);
        try {
            this.state = 624;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ASC:
            case GsSqlParser.BY:
            case GsSqlParser.DELETE:
            case GsSqlParser.DESC:
            case GsSqlParser.END:
            case GsSqlParser.ESCAPE:
            case GsSqlParser.FIRST:
            case GsSqlParser.FULL:
            case GsSqlParser.INSERT:
            case GsSqlParser.INTO:
            case GsSqlParser.ISNULL:
            case GsSqlParser.LAST:
            case GsSqlParser.LEFT:
            case GsSqlParser.NATURAL:
            case GsSqlParser.NOTNULL:
            case GsSqlParser.NULLS:
            case GsSqlParser.OFFSET:
            case GsSqlParser.OUTER:
            case GsSqlParser.REPLACE:
            case GsSqlParser.RIGHT:
            case GsSqlParser.SET:
            case GsSqlParser.UPDATE:
            case GsSqlParser.USING:
            case GsSqlParser.VALUES:
            case GsSqlParser.OTHER_JOIN:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 622;
                this.name();
                }
                break;
            case GsSqlParser.QUOTED:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 623;
                this.match(GsSqlParser.QUOTED);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public aliasName(): AliasNameContext {
        let localContext = new AliasNameContext(this.context, this.state);
        this.enterRule(localContext, 68, GsSqlParser.RULE_aliasName);
        try {
            this.state = 628;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ASC:
            case GsSqlParser.BY:
            case GsSqlParser.DELETE:
            case GsSqlParser.DESC:
            case GsSqlParser.END:
            case GsSqlParser.ESCAPE:
            case GsSqlParser.FIRST:
            case GsSqlParser.FULL:
            case GsSqlParser.INSERT:
            case GsSqlParser.INTO:
            case GsSqlParser.ISNULL:
            case GsSqlParser.LAST:
            case GsSqlParser.LEFT:
            case GsSqlParser.NATURAL:
            case GsSqlParser.NOTNULL:
            case GsSqlParser.NULLS:
            case GsSqlParser.OFFSET:
            case GsSqlParser.OUTER:
            case GsSqlParser.REPLACE:
            case GsSqlParser.RIGHT:
            case GsSqlParser.SET:
            case GsSqlParser.UPDATE:
            case GsSqlParser.USING:
            case GsSqlParser.VALUES:
            case GsSqlParser.OTHER_JOIN:
            case GsSqlParser.QUOTED:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 626;
                this.anyName();
                }
                break;
            case GsSqlParser.STRING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 627;
                this.match(GsSqlParser.STRING);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public bareName(): BareNameContext {
        let localContext = new BareNameContext(this.context, this.state);
        this.enterRule(localContext, 70, GsSqlParser.RULE_bareName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 630;
            _la = this.tokenStream.LA(1);
            if(!(((((_la - 85)) & ~0x1F) === 0 && ((1 << (_la - 85)) & 23) !== 0))) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public functionName(): FunctionNameContext {
        let localContext = new FunctionNameContext(this.context, this.state);
        this.enterRule(localContext, 72, GsSqlParser.RULE_functionName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 632;
            _la = this.tokenStream.LA(1);
            if(!(((((_la - 19)) & ~0x1F) === 0 && ((1 << (_la - 19)) & 403204097) !== 0) || _la === 89)) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }
    public name(): NameContext {
        let localContext = new NameContext(this.context, this.state);
        this.enterRule(localContext, 74, GsSqlParser.RULE_name);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 634;
            _la = this.tokenStream.LA(1);
            if(!((((_la) & ~0x1F) === 0 && ((1 << _la) & 1411959888) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 297984851) !== 0) || _la === 87 || _la === 89)) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            }
        }
        catch (re) {
            if (re instanceof antlr.RecognitionException) {
                this.errorHandler.reportError(this, re);
                this.errorHandler.recover(this, re);
            } else {
                throw re;
            }
        }
        finally {
            this.exitRule();
        }
        return localContext;
    }

    public override sempred(localContext: antlr.ParserRuleContext | null, ruleIndex: number, predIndex: number): boolean {
        switch (ruleIndex) {
        case 30:
            return this.expression_sempred(localContext as ExpressionContext, predIndex);
        case 31:
            return this.value_sempred(localContext as ValueContext, predIndex);
        }
        return true;
    }
    private expression_sempred(localContext: ExpressionContext | null, predIndex: number): boolean {
        switch (predIndex) {
        case 0:
            return this.precpred(this.context, 2);
        case 1:
            return this.precpred(this.context, 1);
        case 2:
            return this.precpred(this.context, 9);
        case 3:
            return this.precpred(this.context, 8);
        case 4:
            return this.precpred(this.context, 7);
        case 5:
            return this.precpred(this.context, 6);
        case 6:
            return this.precpred(this.context, 5);
        case 7:
            return this.precpred(this.context, 4);
        }
        return true;
    }
    private value_sempred(localContext: ValueContext | null, predIndex: number): boolean {
        switch (predIndex) {
        case 8:
            return this.precpred(this.context, 2);
        case 9:
            return this.precpred(this.context, 1);
        }
        return true;
    }

    public static readonly _serializedATN: number[] = [
        4,1,96,637,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,1,0,5,0,78,8,0,10,0,
        12,0,81,9,0,1,0,1,0,4,0,85,8,0,11,0,12,0,86,1,0,5,0,90,8,0,10,0,
        12,0,93,9,0,1,0,5,0,96,8,0,10,0,12,0,99,9,0,3,0,101,8,0,1,0,1,0,
        1,1,1,1,3,1,107,8,1,1,1,1,1,3,1,111,8,1,1,1,1,1,3,1,115,8,1,1,2,
        1,2,1,2,1,2,1,2,1,3,1,3,1,3,3,3,125,8,3,1,3,1,3,1,3,1,3,1,3,1,3,
        5,3,133,8,3,10,3,12,3,136,9,3,1,3,1,3,3,3,140,8,3,1,3,1,3,1,3,1,
        3,1,3,5,3,147,8,3,10,3,12,3,150,9,3,1,3,1,3,3,3,154,8,3,1,3,1,3,
        1,4,1,4,1,4,1,4,1,5,1,5,1,5,1,5,1,5,1,5,5,5,168,8,5,10,5,12,5,171,
        9,5,1,5,1,5,3,5,175,8,5,1,6,1,6,1,6,1,6,1,7,1,7,1,7,1,7,1,7,3,7,
        186,8,7,1,8,3,8,189,8,8,1,8,1,8,1,9,1,9,1,9,1,9,5,9,197,8,9,10,9,
        12,9,200,9,9,1,10,1,10,1,10,1,10,1,10,5,10,207,8,10,10,10,12,10,
        210,9,10,1,10,1,10,3,10,214,8,10,1,10,1,10,1,10,1,10,1,10,1,11,1,
        11,1,11,1,11,5,11,225,8,11,10,11,12,11,228,9,11,1,11,3,11,231,8,
        11,1,11,3,11,234,8,11,1,12,1,12,3,12,238,8,12,1,12,1,12,3,12,242,
        8,12,1,13,1,13,3,13,246,8,13,1,14,1,14,3,14,250,8,14,1,14,1,14,1,
        14,5,14,255,8,14,10,14,12,14,258,9,14,1,14,1,14,3,14,262,8,14,1,
        14,1,14,3,14,266,8,14,1,14,3,14,269,8,14,1,14,3,14,272,8,14,1,15,
        1,15,1,15,1,15,5,15,278,8,15,10,15,12,15,281,9,15,1,16,1,16,1,16,
        1,16,5,16,287,8,16,10,16,12,16,290,9,16,1,16,1,16,1,17,1,17,1,17,
        1,17,1,17,1,17,1,17,1,17,1,17,3,17,303,8,17,3,17,305,8,17,1,18,1,
        18,1,18,1,18,1,18,5,18,312,8,18,10,18,12,18,315,9,18,1,19,1,19,1,
        19,1,20,1,20,1,20,1,20,1,20,5,20,325,8,20,10,20,12,20,328,9,20,1,
        21,1,21,3,21,332,8,21,1,21,1,21,3,21,336,8,21,1,22,1,22,1,22,1,22,
        3,22,342,8,22,1,23,1,23,1,23,1,23,5,23,348,8,23,10,23,12,23,351,
        9,23,1,24,1,24,1,24,1,24,3,24,357,8,24,1,24,1,24,1,24,3,24,362,8,
        24,1,24,1,24,3,24,366,8,24,1,24,1,24,1,24,3,24,371,8,24,1,24,1,24,
        1,24,1,24,1,24,3,24,378,8,24,3,24,380,8,24,1,24,1,24,3,24,384,8,
        24,1,25,1,25,1,25,1,25,1,25,1,25,1,25,5,25,393,8,25,10,25,12,25,
        396,9,25,1,25,1,25,3,25,400,8,25,1,26,1,26,1,26,1,26,3,26,406,8,
        26,1,27,1,27,1,27,1,27,1,27,5,27,413,8,27,10,27,12,27,416,9,27,3,
        27,418,8,27,1,27,1,27,1,27,1,27,1,27,1,27,5,27,426,8,27,10,27,12,
        27,429,9,27,1,27,1,27,3,27,433,8,27,1,27,1,27,1,27,1,27,1,27,3,27,
        440,8,27,1,28,3,28,443,8,28,1,28,1,28,1,28,3,28,448,8,28,1,29,1,
        29,1,29,3,29,453,8,29,1,30,1,30,1,30,1,30,3,30,459,8,30,1,30,1,30,
        1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,3,30,473,8,30,
        1,30,1,30,1,30,1,30,1,30,3,30,480,8,30,1,30,1,30,3,30,484,8,30,1,
        30,1,30,1,30,1,30,3,30,490,8,30,1,30,1,30,3,30,494,8,30,1,30,1,30,
        1,30,1,30,1,30,1,30,1,30,3,30,503,8,30,1,30,1,30,1,30,1,30,1,30,
        5,30,510,8,30,10,30,12,30,513,9,30,3,30,515,8,30,1,30,1,30,1,30,
        3,30,520,8,30,1,30,1,30,1,30,1,30,1,30,5,30,527,8,30,10,30,12,30,
        530,9,30,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,
        1,31,1,31,1,31,1,31,1,31,1,31,1,31,3,31,550,8,31,1,31,4,31,553,8,
        31,11,31,12,31,554,1,31,1,31,3,31,559,8,31,1,31,1,31,1,31,1,31,1,
        31,1,31,1,31,1,31,1,31,1,31,1,31,3,31,572,8,31,1,31,1,31,1,31,5,
        31,577,8,31,10,31,12,31,580,9,31,3,31,582,8,31,1,31,1,31,1,31,1,
        31,1,31,1,31,1,31,3,31,591,8,31,1,31,1,31,1,31,1,31,1,31,1,31,1,
        31,1,31,1,31,1,31,1,31,1,31,3,31,605,8,31,1,31,1,31,1,31,1,31,1,
        31,1,31,5,31,613,8,31,10,31,12,31,616,9,31,1,32,1,32,1,32,1,32,1,
        32,1,33,1,33,3,33,625,8,33,1,34,1,34,3,34,629,8,34,1,35,1,35,1,36,
        1,36,1,37,1,37,1,37,0,2,60,62,38,0,2,4,6,8,10,12,14,16,18,20,22,
        24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,
        68,70,72,74,0,16,1,0,66,67,2,0,1,1,12,12,2,0,4,4,11,11,2,0,19,19,
        32,32,3,0,21,21,33,33,47,47,1,0,85,86,2,0,37,37,62,62,2,0,2,2,61,
        61,2,0,43,43,63,63,3,0,66,70,72,72,74,74,2,0,8,8,52,52,2,0,73,73,
        76,76,2,0,75,75,79,80,2,0,85,87,89,89,6,0,19,19,30,30,32,33,38,38,
        46,47,89,89,19,0,4,4,6,6,10,11,14,15,19,19,21,21,26,26,28,28,30,
        30,32,33,36,36,38,38,40,41,45,47,49,49,54,56,60,60,87,87,89,89,719,
        0,79,1,0,0,0,2,114,1,0,0,0,4,116,1,0,0,0,6,121,1,0,0,0,8,157,1,0,
        0,0,10,161,1,0,0,0,12,176,1,0,0,0,14,180,1,0,0,0,16,188,1,0,0,0,
        18,192,1,0,0,0,20,201,1,0,0,0,22,220,1,0,0,0,24,241,1,0,0,0,26,245,
        1,0,0,0,28,247,1,0,0,0,30,273,1,0,0,0,32,282,1,0,0,0,34,304,1,0,
        0,0,36,306,1,0,0,0,38,316,1,0,0,0,40,319,1,0,0,0,42,329,1,0,0,0,
        44,337,1,0,0,0,46,343,1,0,0,0,48,383,1,0,0,0,50,399,1,0,0,0,52,401,
        1,0,0,0,54,439,1,0,0,0,56,442,1,0,0,0,58,449,1,0,0,0,60,458,1,0,
        0,0,62,604,1,0,0,0,64,617,1,0,0,0,66,624,1,0,0,0,68,628,1,0,0,0,
        70,630,1,0,0,0,72,632,1,0,0,0,74,634,1,0,0,0,76,78,5,78,0,0,77,76,
        1,0,0,0,78,81,1,0,0,0,79,77,1,0,0,0,79,80,1,0,0,0,80,100,1,0,0,0,
        81,79,1,0,0,0,82,91,3,2,1,0,83,85,5,78,0,0,84,83,1,0,0,0,85,86,1,
        0,0,0,86,84,1,0,0,0,86,87,1,0,0,0,87,88,1,0,0,0,88,90,3,2,1,0,89,
        84,1,0,0,0,90,93,1,0,0,0,91,89,1,0,0,0,91,92,1,0,0,0,92,97,1,0,0,
        0,93,91,1,0,0,0,94,96,5,78,0,0,95,94,1,0,0,0,96,99,1,0,0,0,97,95,
        1,0,0,0,97,98,1,0,0,0,98,101,1,0,0,0,99,97,1,0,0,0,100,82,1,0,0,
        0,100,101,1,0,0,0,101,102,1,0,0,0,102,103,5,0,0,1,103,1,1,0,0,0,
        104,115,3,4,2,0,105,107,3,18,9,0,106,105,1,0,0,0,106,107,1,0,0,0,
        107,110,1,0,0,0,108,111,3,6,3,0,109,111,3,22,11,0,110,108,1,0,0,
        0,110,109,1,0,0,0,111,115,1,0,0,0,112,115,3,10,5,0,113,115,3,14,
        7,0,114,104,1,0,0,0,114,106,1,0,0,0,114,112,1,0,0,0,114,113,1,0,
        0,0,115,3,1,0,0,0,116,117,5,49,0,0,117,118,5,88,0,0,118,119,7,0,
        0,0,119,120,3,60,30,0,120,5,1,0,0,0,121,124,5,26,0,0,122,123,5,43,
        0,0,123,125,5,46,0,0,124,122,1,0,0,0,124,125,1,0,0,0,125,126,1,0,
        0,0,126,127,5,28,0,0,127,139,3,58,29,0,128,129,5,71,0,0,129,134,
        3,66,33,0,130,131,5,64,0,0,131,133,3,66,33,0,132,130,1,0,0,0,133,
        136,1,0,0,0,134,132,1,0,0,0,134,135,1,0,0,0,135,137,1,0,0,0,136,
        134,1,0,0,0,137,138,5,77,0,0,138,140,1,0,0,0,139,128,1,0,0,0,139,
        140,1,0,0,0,140,153,1,0,0,0,141,142,5,59,0,0,142,143,5,71,0,0,143,
        148,3,8,4,0,144,145,5,64,0,0,145,147,3,8,4,0,146,144,1,0,0,0,147,
        150,1,0,0,0,148,146,1,0,0,0,148,149,1,0,0,0,149,151,1,0,0,0,150,
        148,1,0,0,0,151,152,5,77,0,0,152,154,1,0,0,0,153,141,1,0,0,0,153,
        154,1,0,0,0,154,155,1,0,0,0,155,156,3,16,8,0,156,7,1,0,0,0,157,158,
        3,66,33,0,158,159,5,66,0,0,159,160,3,60,30,0,160,9,1,0,0,0,161,162,
        5,54,0,0,162,163,3,58,29,0,163,164,5,49,0,0,164,169,3,12,6,0,165,
        166,5,64,0,0,166,168,3,12,6,0,167,165,1,0,0,0,168,171,1,0,0,0,169,
        167,1,0,0,0,169,170,1,0,0,0,170,174,1,0,0,0,171,169,1,0,0,0,172,
        173,5,58,0,0,173,175,3,60,30,0,174,172,1,0,0,0,174,175,1,0,0,0,175,
        11,1,0,0,0,176,177,3,66,33,0,177,178,5,66,0,0,178,179,3,60,30,0,
        179,13,1,0,0,0,180,181,5,10,0,0,181,182,5,20,0,0,182,185,3,58,29,
        0,183,184,5,58,0,0,184,186,3,60,30,0,185,183,1,0,0,0,185,186,1,0,
        0,0,186,15,1,0,0,0,187,189,3,18,9,0,188,187,1,0,0,0,188,189,1,0,
        0,0,189,190,1,0,0,0,190,191,3,22,11,0,191,17,1,0,0,0,192,193,5,59,
        0,0,193,198,3,20,10,0,194,195,5,64,0,0,195,197,3,20,10,0,196,194,
        1,0,0,0,197,200,1,0,0,0,198,196,1,0,0,0,198,199,1,0,0,0,199,19,1,
        0,0,0,200,198,1,0,0,0,201,213,3,66,33,0,202,203,5,71,0,0,203,208,
        3,66,33,0,204,205,5,64,0,0,205,207,3,66,33,0,206,204,1,0,0,0,207,
        210,1,0,0,0,208,206,1,0,0,0,208,209,1,0,0,0,209,211,1,0,0,0,210,
        208,1,0,0,0,211,212,5,77,0,0,212,214,1,0,0,0,213,202,1,0,0,0,213,
        214,1,0,0,0,214,215,1,0,0,0,215,216,5,3,0,0,216,217,5,71,0,0,217,
        218,3,16,8,0,218,219,5,77,0,0,219,21,1,0,0,0,220,226,3,26,13,0,221,
        222,3,24,12,0,222,223,3,26,13,0,223,225,1,0,0,0,224,221,1,0,0,0,
        225,228,1,0,0,0,226,224,1,0,0,0,226,227,1,0,0,0,227,230,1,0,0,0,
        228,226,1,0,0,0,229,231,3,40,20,0,230,229,1,0,0,0,230,231,1,0,0,
        0,231,233,1,0,0,0,232,234,3,44,22,0,233,232,1,0,0,0,233,234,1,0,
        0,0,234,23,1,0,0,0,235,237,5,53,0,0,236,238,5,1,0,0,237,236,1,0,
        0,0,237,238,1,0,0,0,238,242,1,0,0,0,239,242,5,16,0,0,240,242,5,27,
        0,0,241,235,1,0,0,0,241,239,1,0,0,0,241,240,1,0,0,0,242,25,1,0,0,
        0,243,246,3,28,14,0,244,246,3,30,15,0,245,243,1,0,0,0,245,244,1,
        0,0,0,246,27,1,0,0,0,247,249,5,48,0,0,248,250,7,1,0,0,249,248,1,
        0,0,0,249,250,1,0,0,0,250,251,1,0,0,0,251,256,3,34,17,0,252,253,
        5,64,0,0,253,255,3,34,17,0,254,252,1,0,0,0,255,258,1,0,0,0,256,254,
        1,0,0,0,256,257,1,0,0,0,257,261,1,0,0,0,258,256,1,0,0,0,259,260,
        5,20,0,0,260,262,3,46,23,0,261,259,1,0,0,0,261,262,1,0,0,0,262,265,
        1,0,0,0,263,264,5,58,0,0,264,266,3,60,30,0,265,263,1,0,0,0,265,266,
        1,0,0,0,266,268,1,0,0,0,267,269,3,36,18,0,268,267,1,0,0,0,268,269,
        1,0,0,0,269,271,1,0,0,0,270,272,3,38,19,0,271,270,1,0,0,0,271,272,
        1,0,0,0,272,29,1,0,0,0,273,274,5,56,0,0,274,279,3,32,16,0,275,276,
        5,64,0,0,276,278,3,32,16,0,277,275,1,0,0,0,278,281,1,0,0,0,279,277,
        1,0,0,0,279,280,1,0,0,0,280,31,1,0,0,0,281,279,1,0,0,0,282,283,5,
        71,0,0,283,288,3,60,30,0,284,285,5,64,0,0,285,287,3,60,30,0,286,
        284,1,0,0,0,287,290,1,0,0,0,288,286,1,0,0,0,288,289,1,0,0,0,289,
        291,1,0,0,0,290,288,1,0,0,0,291,292,5,77,0,0,292,33,1,0,0,0,293,
        305,5,80,0,0,294,295,3,66,33,0,295,296,5,65,0,0,296,297,5,80,0,0,
        297,305,1,0,0,0,298,302,3,60,30,0,299,300,5,3,0,0,300,303,3,68,34,
        0,301,303,3,70,35,0,302,299,1,0,0,0,302,301,1,0,0,0,302,303,1,0,
        0,0,303,305,1,0,0,0,304,293,1,0,0,0,304,294,1,0,0,0,304,298,1,0,
        0,0,305,35,1,0,0,0,306,307,5,22,0,0,307,308,5,6,0,0,308,313,3,60,
        30,0,309,310,5,64,0,0,310,312,3,60,30,0,311,309,1,0,0,0,312,315,
        1,0,0,0,313,311,1,0,0,0,313,314,1,0,0,0,314,37,1,0,0,0,315,313,1,
        0,0,0,316,317,5,23,0,0,317,318,3,60,30,0,318,39,1,0,0,0,319,320,
        5,44,0,0,320,321,5,6,0,0,321,326,3,42,21,0,322,323,5,64,0,0,323,
        325,3,42,21,0,324,322,1,0,0,0,325,328,1,0,0,0,326,324,1,0,0,0,326,
        327,1,0,0,0,327,41,1,0,0,0,328,326,1,0,0,0,329,331,3,60,30,0,330,
        332,7,2,0,0,331,330,1,0,0,0,331,332,1,0,0,0,332,335,1,0,0,0,333,
        334,5,40,0,0,334,336,7,3,0,0,335,333,1,0,0,0,335,336,1,0,0,0,336,
        43,1,0,0,0,337,338,5,35,0,0,338,341,3,60,30,0,339,340,5,41,0,0,340,
        342,3,60,30,0,341,339,1,0,0,0,341,342,1,0,0,0,342,45,1,0,0,0,343,
        349,3,52,26,0,344,345,5,64,0,0,345,348,3,52,26,0,346,348,3,48,24,
        0,347,344,1,0,0,0,347,346,1,0,0,0,348,351,1,0,0,0,349,347,1,0,0,
        0,349,350,1,0,0,0,350,47,1,0,0,0,351,349,1,0,0,0,352,353,5,9,0,0,
        353,354,5,31,0,0,354,384,3,52,26,0,355,357,5,25,0,0,356,355,1,0,
        0,0,356,357,1,0,0,0,357,358,1,0,0,0,358,359,5,31,0,0,359,361,3,52,
        26,0,360,362,3,50,25,0,361,360,1,0,0,0,361,362,1,0,0,0,362,384,1,
        0,0,0,363,365,7,4,0,0,364,366,5,45,0,0,365,364,1,0,0,0,365,366,1,
        0,0,0,366,367,1,0,0,0,367,368,5,31,0,0,368,370,3,52,26,0,369,371,
        3,50,25,0,370,369,1,0,0,0,370,371,1,0,0,0,371,384,1,0,0,0,372,379,
        5,36,0,0,373,380,5,25,0,0,374,380,5,9,0,0,375,377,7,4,0,0,376,378,
        5,45,0,0,377,376,1,0,0,0,377,378,1,0,0,0,378,380,1,0,0,0,379,373,
        1,0,0,0,379,374,1,0,0,0,379,375,1,0,0,0,379,380,1,0,0,0,380,381,
        1,0,0,0,381,382,5,31,0,0,382,384,3,52,26,0,383,352,1,0,0,0,383,356,
        1,0,0,0,383,363,1,0,0,0,383,372,1,0,0,0,384,49,1,0,0,0,385,386,5,
        42,0,0,386,400,3,60,30,0,387,388,5,55,0,0,388,389,5,71,0,0,389,394,
        3,66,33,0,390,391,5,64,0,0,391,393,3,66,33,0,392,390,1,0,0,0,393,
        396,1,0,0,0,394,392,1,0,0,0,394,395,1,0,0,0,395,397,1,0,0,0,396,
        394,1,0,0,0,397,398,5,77,0,0,398,400,1,0,0,0,399,385,1,0,0,0,399,
        387,1,0,0,0,400,51,1,0,0,0,401,405,3,54,27,0,402,403,5,3,0,0,403,
        406,3,68,34,0,404,406,3,70,35,0,405,402,1,0,0,0,405,404,1,0,0,0,
        405,406,1,0,0,0,406,53,1,0,0,0,407,408,3,66,33,0,408,417,5,71,0,
        0,409,414,3,60,30,0,410,411,5,64,0,0,411,413,3,60,30,0,412,410,1,
        0,0,0,413,416,1,0,0,0,414,412,1,0,0,0,414,415,1,0,0,0,415,418,1,
        0,0,0,416,414,1,0,0,0,417,409,1,0,0,0,417,418,1,0,0,0,418,419,1,
        0,0,0,419,432,5,77,0,0,420,421,5,59,0,0,421,422,5,71,0,0,422,427,
        3,56,28,0,423,424,5,64,0,0,424,426,3,56,28,0,425,423,1,0,0,0,426,
        429,1,0,0,0,427,425,1,0,0,0,427,428,1,0,0,0,428,430,1,0,0,0,429,
        427,1,0,0,0,430,431,5,77,0,0,431,433,1,0,0,0,432,420,1,0,0,0,432,
        433,1,0,0,0,433,440,1,0,0,0,434,440,3,58,29,0,435,436,5,71,0,0,436,
        437,3,16,8,0,437,438,5,77,0,0,438,440,1,0,0,0,439,407,1,0,0,0,439,
        434,1,0,0,0,439,435,1,0,0,0,440,55,1,0,0,0,441,443,5,81,0,0,442,
        441,1,0,0,0,442,443,1,0,0,0,443,444,1,0,0,0,444,445,3,66,33,0,445,
        447,3,66,33,0,446,448,7,5,0,0,447,446,1,0,0,0,447,448,1,0,0,0,448,
        57,1,0,0,0,449,452,3,66,33,0,450,451,5,65,0,0,451,453,3,66,33,0,
        452,450,1,0,0,0,452,453,1,0,0,0,453,59,1,0,0,0,454,455,6,30,-1,0,
        455,459,3,62,31,0,456,457,7,6,0,0,457,459,3,60,30,3,458,454,1,0,
        0,0,458,456,1,0,0,0,459,528,1,0,0,0,460,461,10,2,0,0,461,462,7,7,
        0,0,462,527,3,60,30,3,463,464,10,1,0,0,464,465,7,8,0,0,465,527,3,
        60,30,2,466,467,10,9,0,0,467,468,7,9,0,0,468,527,3,62,31,0,469,479,
        10,8,0,0,470,472,5,29,0,0,471,473,5,37,0,0,472,471,1,0,0,0,472,473,
        1,0,0,0,473,474,1,0,0,0,474,480,5,39,0,0,475,480,5,30,0,0,476,480,
        5,38,0,0,477,478,5,37,0,0,478,480,5,39,0,0,479,470,1,0,0,0,479,475,
        1,0,0,0,479,476,1,0,0,0,479,477,1,0,0,0,480,527,1,0,0,0,481,483,
        10,7,0,0,482,484,5,37,0,0,483,482,1,0,0,0,483,484,1,0,0,0,484,485,
        1,0,0,0,485,486,5,34,0,0,486,489,3,62,31,0,487,488,5,15,0,0,488,
        490,3,62,31,0,489,487,1,0,0,0,489,490,1,0,0,0,490,527,1,0,0,0,491,
        493,10,6,0,0,492,494,5,37,0,0,493,492,1,0,0,0,493,494,1,0,0,0,494,
        495,1,0,0,0,495,496,5,24,0,0,496,497,5,71,0,0,497,498,3,16,8,0,498,
        499,5,77,0,0,499,527,1,0,0,0,500,502,10,5,0,0,501,503,5,37,0,0,502,
        501,1,0,0,0,502,503,1,0,0,0,503,504,1,0,0,0,504,505,5,24,0,0,505,
        514,5,71,0,0,506,511,3,60,30,0,507,508,5,64,0,0,508,510,3,60,30,
        0,509,507,1,0,0,0,510,513,1,0,0,0,511,509,1,0,0,0,511,512,1,0,0,
        0,512,515,1,0,0,0,513,511,1,0,0,0,514,506,1,0,0,0,514,515,1,0,0,
        0,515,516,1,0,0,0,516,527,5,77,0,0,517,519,10,4,0,0,518,520,5,37,
        0,0,519,518,1,0,0,0,519,520,1,0,0,0,520,521,1,0,0,0,521,522,5,5,
        0,0,522,523,3,62,31,0,523,524,5,2,0,0,524,525,3,62,31,0,525,527,
        1,0,0,0,526,460,1,0,0,0,526,463,1,0,0,0,526,466,1,0,0,0,526,469,
        1,0,0,0,526,481,1,0,0,0,526,491,1,0,0,0,526,500,1,0,0,0,526,517,
        1,0,0,0,527,530,1,0,0,0,528,526,1,0,0,0,528,529,1,0,0,0,529,61,1,
        0,0,0,530,528,1,0,0,0,531,532,6,31,-1,0,532,605,5,81,0,0,533,605,
        5,82,0,0,534,605,5,83,0,0,535,605,5,85,0,0,536,605,5,51,0,0,537,
        605,5,18,0,0,538,605,5,39,0,0,539,605,5,88,0,0,540,541,7,10,0,0,
        541,542,5,71,0,0,542,543,3,60,30,0,543,544,5,3,0,0,544,545,3,66,
        33,0,545,546,5,77,0,0,546,605,1,0,0,0,547,549,5,7,0,0,548,550,3,
        60,30,0,549,548,1,0,0,0,549,550,1,0,0,0,550,552,1,0,0,0,551,553,
        3,64,32,0,552,551,1,0,0,0,553,554,1,0,0,0,554,552,1,0,0,0,554,555,
        1,0,0,0,555,558,1,0,0,0,556,557,5,13,0,0,557,559,3,60,30,0,558,556,
        1,0,0,0,558,559,1,0,0,0,559,560,1,0,0,0,560,561,5,14,0,0,561,605,
        1,0,0,0,562,563,5,17,0,0,563,564,5,71,0,0,564,565,3,16,8,0,565,566,
        5,77,0,0,566,605,1,0,0,0,567,568,3,72,36,0,568,581,5,71,0,0,569,
        582,5,80,0,0,570,572,5,12,0,0,571,570,1,0,0,0,571,572,1,0,0,0,572,
        573,1,0,0,0,573,578,3,60,30,0,574,575,5,64,0,0,575,577,3,60,30,0,
        576,574,1,0,0,0,577,580,1,0,0,0,578,576,1,0,0,0,578,579,1,0,0,0,
        579,582,1,0,0,0,580,578,1,0,0,0,581,569,1,0,0,0,581,571,1,0,0,0,
        581,582,1,0,0,0,582,583,1,0,0,0,583,584,5,77,0,0,584,605,1,0,0,0,
        585,586,3,66,33,0,586,587,5,65,0,0,587,590,3,66,33,0,588,589,5,65,
        0,0,589,591,3,66,33,0,590,588,1,0,0,0,590,591,1,0,0,0,591,605,1,
        0,0,0,592,605,3,74,37,0,593,605,5,86,0,0,594,595,5,71,0,0,595,596,
        3,16,8,0,596,597,5,77,0,0,597,605,1,0,0,0,598,599,5,71,0,0,599,600,
        3,60,30,0,600,601,5,77,0,0,601,605,1,0,0,0,602,603,7,11,0,0,603,
        605,3,62,31,3,604,531,1,0,0,0,604,533,1,0,0,0,604,534,1,0,0,0,604,
        535,1,0,0,0,604,536,1,0,0,0,604,537,1,0,0,0,604,538,1,0,0,0,604,
        539,1,0,0,0,604,540,1,0,0,0,604,547,1,0,0,0,604,562,1,0,0,0,604,
        567,1,0,0,0,604,585,1,0,0,0,604,592,1,0,0,0,604,593,1,0,0,0,604,
        594,1,0,0,0,604,598,1,0,0,0,604,602,1,0,0,0,605,614,1,0,0,0,606,
        607,10,2,0,0,607,608,7,12,0,0,608,613,3,62,31,3,609,610,10,1,0,0,
        610,611,7,11,0,0,611,613,3,62,31,2,612,606,1,0,0,0,612,609,1,0,0,
        0,613,616,1,0,0,0,614,612,1,0,0,0,614,615,1,0,0,0,615,63,1,0,0,0,
        616,614,1,0,0,0,617,618,5,57,0,0,618,619,3,60,30,0,619,620,5,50,
        0,0,620,621,3,60,30,0,621,65,1,0,0,0,622,625,3,74,37,0,623,625,5,
        86,0,0,624,622,1,0,0,0,624,623,1,0,0,0,625,67,1,0,0,0,626,629,3,
        66,33,0,627,629,5,85,0,0,628,626,1,0,0,0,628,627,1,0,0,0,629,69,
        1,0,0,0,630,631,7,13,0,0,631,71,1,0,0,0,632,633,7,14,0,0,633,73,
        1,0,0,0,634,635,7,15,0,0,635,75,1,0,0,0,85,79,86,91,97,100,106,110,
        114,124,134,139,148,153,169,174,185,188,198,208,213,226,230,233,
        237,241,245,249,256,261,265,268,271,279,288,302,304,313,326,331,
        335,341,347,349,356,361,365,370,377,379,383,394,399,405,414,417,
        427,432,439,442,447,452,458,472,479,483,489,493,502,511,514,519,
        526,528,549,554,558,571,578,581,590,604,612,614,624,628
    ];

    private static __ATN: antlr.ATN;
    public static get _ATN(): antlr.ATN {
        if (!GsSqlParser.__ATN) {
            GsSqlParser.__ATN = new antlr.ATNDeserializer().deserialize(GsSqlParser._serializedATN);
        }

        return GsSqlParser.__ATN;
    }


    private static readonly vocabulary = new antlr.Vocabulary(GsSqlParser.literalNames, GsSqlParser.symbolicNames, []);

    public override get vocabulary(): antlr.Vocabulary {
        return GsSqlParser.vocabulary;
    }

    private static readonly decisionsToDFA = GsSqlParser._ATN.decisionToState.map( (ds: antlr.DecisionState, index: number) => new antlr.DFA(ds, index) );
}

export class ScriptContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public EOF(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.EOF, 0)!;
    }
    public SEMICOLON(): antlr.TerminalNode[];
    public SEMICOLON(i: number): antlr.TerminalNode | null;
    public SEMICOLON(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.SEMICOLON);
    	} else {
    		return this.getToken(GsSqlParser.SEMICOLON, i);
    	}
    }
    public statement(): StatementContext[];
    public statement(i: number): StatementContext | null;
    public statement(i?: number): StatementContext[] | StatementContext | null {
        if (i === undefined) {
            return this.getRuleContexts(StatementContext);
        }

        return this.getRuleContext(i, StatementContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_script;
    }
}


export class StatementContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public setVariable(): SetVariableContext | null {
        return this.getRuleContext(0, SetVariableContext);
    }
    public insert(): InsertContext | null {
        return this.getRuleContext(0, InsertContext);
    }
    public queryBody(): QueryBodyContext | null {
        return this.getRuleContext(0, QueryBodyContext);
    }
    public withClause(): WithClauseContext | null {
        return this.getRuleContext(0, WithClauseContext);
    }
    public update(): UpdateContext | null {
        return this.getRuleContext(0, UpdateContext);
    }
    public delete(): DeleteContext | null {
        return this.getRuleContext(0, DeleteContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_statement;
    }
}


export class SetVariableContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public SET(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.SET, 0)!;
    }
    public VARIABLE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.VARIABLE, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public EQ(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.EQ, 0);
    }
    public EQEQ(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.EQEQ, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_setVariable;
    }
}


export class InsertContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public INSERT(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.INSERT, 0)!;
    }
    public INTO(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.INTO, 0)!;
    }
    public tableName(): TableNameContext {
        return this.getRuleContext(0, TableNameContext)!;
    }
    public query(): QueryContext {
        return this.getRuleContext(0, QueryContext)!;
    }
    public OR(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OR, 0);
    }
    public REPLACE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.REPLACE, 0);
    }
    public LPAREN(): antlr.TerminalNode[];
    public LPAREN(i: number): antlr.TerminalNode | null;
    public LPAREN(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.LPAREN);
    	} else {
    		return this.getToken(GsSqlParser.LPAREN, i);
    	}
    }
    public anyName(): AnyNameContext[];
    public anyName(i: number): AnyNameContext | null;
    public anyName(i?: number): AnyNameContext[] | AnyNameContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AnyNameContext);
        }

        return this.getRuleContext(i, AnyNameContext);
    }
    public RPAREN(): antlr.TerminalNode[];
    public RPAREN(i: number): antlr.TerminalNode | null;
    public RPAREN(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.RPAREN);
    	} else {
    		return this.getToken(GsSqlParser.RPAREN, i);
    	}
    }
    public WITH(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.WITH, 0);
    }
    public insertOption(): InsertOptionContext[];
    public insertOption(i: number): InsertOptionContext | null;
    public insertOption(i?: number): InsertOptionContext[] | InsertOptionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(InsertOptionContext);
        }

        return this.getRuleContext(i, InsertOptionContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_insert;
    }
}


export class InsertOptionContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public anyName(): AnyNameContext {
        return this.getRuleContext(0, AnyNameContext)!;
    }
    public EQ(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.EQ, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_insertOption;
    }
}


export class UpdateContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public UPDATE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.UPDATE, 0)!;
    }
    public tableName(): TableNameContext {
        return this.getRuleContext(0, TableNameContext)!;
    }
    public SET(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.SET, 0)!;
    }
    public assignment(): AssignmentContext[];
    public assignment(i: number): AssignmentContext | null;
    public assignment(i?: number): AssignmentContext[] | AssignmentContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AssignmentContext);
        }

        return this.getRuleContext(i, AssignmentContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public WHERE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.WHERE, 0);
    }
    public expression(): ExpressionContext | null {
        return this.getRuleContext(0, ExpressionContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_update;
    }
}


export class AssignmentContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public anyName(): AnyNameContext {
        return this.getRuleContext(0, AnyNameContext)!;
    }
    public EQ(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.EQ, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_assignment;
    }
}


export class DeleteContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public DELETE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.DELETE, 0)!;
    }
    public FROM(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.FROM, 0)!;
    }
    public tableName(): TableNameContext {
        return this.getRuleContext(0, TableNameContext)!;
    }
    public WHERE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.WHERE, 0);
    }
    public expression(): ExpressionContext | null {
        return this.getRuleContext(0, ExpressionContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_delete;
    }
}


export class QueryContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public queryBody(): QueryBodyContext {
        return this.getRuleContext(0, QueryBodyContext)!;
    }
    public withClause(): WithClauseContext | null {
        return this.getRuleContext(0, WithClauseContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_query;
    }
}


export class WithClauseContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public WITH(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.WITH, 0)!;
    }
    public commonTable(): CommonTableContext[];
    public commonTable(i: number): CommonTableContext | null;
    public commonTable(i?: number): CommonTableContext[] | CommonTableContext | null {
        if (i === undefined) {
            return this.getRuleContexts(CommonTableContext);
        }

        return this.getRuleContext(i, CommonTableContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_withClause;
    }
}


export class CommonTableContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public anyName(): AnyNameContext[];
    public anyName(i: number): AnyNameContext | null;
    public anyName(i?: number): AnyNameContext[] | AnyNameContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AnyNameContext);
        }

        return this.getRuleContext(i, AnyNameContext);
    }
    public AS(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.AS, 0)!;
    }
    public LPAREN(): antlr.TerminalNode[];
    public LPAREN(i: number): antlr.TerminalNode | null;
    public LPAREN(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.LPAREN);
    	} else {
    		return this.getToken(GsSqlParser.LPAREN, i);
    	}
    }
    public query(): QueryContext {
        return this.getRuleContext(0, QueryContext)!;
    }
    public RPAREN(): antlr.TerminalNode[];
    public RPAREN(i: number): antlr.TerminalNode | null;
    public RPAREN(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.RPAREN);
    	} else {
    		return this.getToken(GsSqlParser.RPAREN, i);
    	}
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_commonTable;
    }
}


export class QueryBodyContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public selectTerm(): SelectTermContext[];
    public selectTerm(i: number): SelectTermContext | null;
    public selectTerm(i?: number): SelectTermContext[] | SelectTermContext | null {
        if (i === undefined) {
            return this.getRuleContexts(SelectTermContext);
        }

        return this.getRuleContext(i, SelectTermContext);
    }
    public setOperator(): SetOperatorContext[];
    public setOperator(i: number): SetOperatorContext | null;
    public setOperator(i?: number): SetOperatorContext[] | SetOperatorContext | null {
        if (i === undefined) {
            return this.getRuleContexts(SetOperatorContext);
        }

        return this.getRuleContext(i, SetOperatorContext);
    }
    public orderBy(): OrderByContext | null {
        return this.getRuleContext(0, OrderByContext);
    }
    public limit(): LimitContext | null {
        return this.getRuleContext(0, LimitContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_queryBody;
    }
}


export class SetOperatorContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public UNION(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.UNION, 0);
    }
    public ALL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ALL, 0);
    }
    public EXCEPT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.EXCEPT, 0);
    }
    public INTERSECT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INTERSECT, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_setOperator;
    }
}


export class SelectTermContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public select(): SelectContext | null {
        return this.getRuleContext(0, SelectContext);
    }
    public values(): ValuesContext | null {
        return this.getRuleContext(0, ValuesContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_selectTerm;
    }
}


export class SelectContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public SELECT(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.SELECT, 0)!;
    }
    public selectItem(): SelectItemContext[];
    public selectItem(i: number): SelectItemContext | null;
    public selectItem(i?: number): SelectItemContext[] | SelectItemContext | null {
        if (i === undefined) {
            return this.getRuleContexts(SelectItemContext);
        }

        return this.getRuleContext(i, SelectItemContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public FROM(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FROM, 0);
    }
    public tables(): TablesContext | null {
        return this.getRuleContext(0, TablesContext);
    }
    public WHERE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.WHERE, 0);
    }
    public expression(): ExpressionContext | null {
        return this.getRuleContext(0, ExpressionContext);
    }
    public groupBy(): GroupByContext | null {
        return this.getRuleContext(0, GroupByContext);
    }
    public having(): HavingContext | null {
        return this.getRuleContext(0, HavingContext);
    }
    public DISTINCT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DISTINCT, 0);
    }
    public ALL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ALL, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_select;
    }
}


export class ValuesContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public VALUES(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.VALUES, 0)!;
    }
    public valueRow(): ValueRowContext[];
    public valueRow(i: number): ValueRowContext | null;
    public valueRow(i?: number): ValueRowContext[] | ValueRowContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ValueRowContext);
        }

        return this.getRuleContext(i, ValueRowContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_values;
    }
}


export class ValueRowContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_valueRow;
    }
}


export class SelectItemContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_selectItem;
    }
    public override copyFrom(ctx: SelectItemContext): void {
        super.copyFrom(ctx);
    }
}
export class AllColumnsContext extends SelectItemContext {
    public constructor(ctx: SelectItemContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public STAR(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.STAR, 0)!;
    }
}
export class TableColumnsContext extends SelectItemContext {
    public constructor(ctx: SelectItemContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public anyName(): AnyNameContext {
        return this.getRuleContext(0, AnyNameContext)!;
    }
    public DOT(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.DOT, 0)!;
    }
    public STAR(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.STAR, 0)!;
    }
}
export class OneColumnContext extends SelectItemContext {
    public constructor(ctx: SelectItemContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public AS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.AS, 0);
    }
    public aliasName(): AliasNameContext | null {
        return this.getRuleContext(0, AliasNameContext);
    }
    public bareName(): BareNameContext | null {
        return this.getRuleContext(0, BareNameContext);
    }
}


export class GroupByContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public GROUP(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.GROUP, 0)!;
    }
    public BY(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.BY, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_groupBy;
    }
}


export class HavingContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public HAVING(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.HAVING, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_having;
    }
}


export class OrderByContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public ORDER(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.ORDER, 0)!;
    }
    public BY(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.BY, 0)!;
    }
    public orderTerm(): OrderTermContext[];
    public orderTerm(i: number): OrderTermContext | null;
    public orderTerm(i?: number): OrderTermContext[] | OrderTermContext | null {
        if (i === undefined) {
            return this.getRuleContexts(OrderTermContext);
        }

        return this.getRuleContext(i, OrderTermContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_orderBy;
    }
}


export class OrderTermContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public NULLS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NULLS, 0);
    }
    public ASC(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ASC, 0);
    }
    public DESC(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DESC, 0);
    }
    public FIRST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FIRST, 0);
    }
    public LAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LAST, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_orderTerm;
    }
}


export class LimitContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public LIMIT(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LIMIT, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public OFFSET(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OFFSET, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_limit;
    }
}


export class TablesContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public table(): TableContext[];
    public table(i: number): TableContext | null;
    public table(i?: number): TableContext[] | TableContext | null {
        if (i === undefined) {
            return this.getRuleContexts(TableContext);
        }

        return this.getRuleContext(i, TableContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public join(): JoinContext[];
    public join(i: number): JoinContext | null;
    public join(i?: number): JoinContext[] | JoinContext | null {
        if (i === undefined) {
            return this.getRuleContexts(JoinContext);
        }

        return this.getRuleContext(i, JoinContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_tables;
    }
}


export class JoinContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_join;
    }
    public override copyFrom(ctx: JoinContext): void {
        super.copyFrom(ctx);
    }
}
export class CrossJoinContext extends JoinContext {
    public constructor(ctx: JoinContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public CROSS(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.CROSS, 0)!;
    }
    public JOIN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.JOIN, 0)!;
    }
    public table(): TableContext {
        return this.getRuleContext(0, TableContext)!;
    }
}
export class InnerJoinContext extends JoinContext {
    public constructor(ctx: JoinContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public JOIN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.JOIN, 0)!;
    }
    public table(): TableContext {
        return this.getRuleContext(0, TableContext)!;
    }
    public INNER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INNER, 0);
    }
    public joinCondition(): JoinConditionContext | null {
        return this.getRuleContext(0, JoinConditionContext);
    }
}
export class OuterJoinContext extends JoinContext {
    public constructor(ctx: JoinContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public JOIN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.JOIN, 0)!;
    }
    public table(): TableContext {
        return this.getRuleContext(0, TableContext)!;
    }
    public LEFT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LEFT, 0);
    }
    public RIGHT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.RIGHT, 0);
    }
    public FULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FULL, 0);
    }
    public OUTER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OUTER, 0);
    }
    public joinCondition(): JoinConditionContext | null {
        return this.getRuleContext(0, JoinConditionContext);
    }
}
export class NaturalJoinContext extends JoinContext {
    public constructor(ctx: JoinContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public NATURAL(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.NATURAL, 0)!;
    }
    public JOIN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.JOIN, 0)!;
    }
    public table(): TableContext {
        return this.getRuleContext(0, TableContext)!;
    }
    public INNER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INNER, 0);
    }
    public CROSS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.CROSS, 0);
    }
    public LEFT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LEFT, 0);
    }
    public RIGHT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.RIGHT, 0);
    }
    public FULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FULL, 0);
    }
    public OUTER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OUTER, 0);
    }
}


export class JoinConditionContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public ON(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ON, 0);
    }
    public expression(): ExpressionContext | null {
        return this.getRuleContext(0, ExpressionContext);
    }
    public USING(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.USING, 0);
    }
    public LPAREN(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LPAREN, 0);
    }
    public anyName(): AnyNameContext[];
    public anyName(i: number): AnyNameContext | null;
    public anyName(i?: number): AnyNameContext[] | AnyNameContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AnyNameContext);
        }

        return this.getRuleContext(i, AnyNameContext);
    }
    public RPAREN(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.RPAREN, 0);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_joinCondition;
    }
}


export class TableContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public tableSource(): TableSourceContext {
        return this.getRuleContext(0, TableSourceContext)!;
    }
    public AS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.AS, 0);
    }
    public aliasName(): AliasNameContext | null {
        return this.getRuleContext(0, AliasNameContext);
    }
    public bareName(): BareNameContext | null {
        return this.getRuleContext(0, BareNameContext);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_table;
    }
}


export class TableSourceContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_tableSource;
    }
    public override copyFrom(ctx: TableSourceContext): void {
        super.copyFrom(ctx);
    }
}
export class TableFunctionContext extends TableSourceContext {
    public constructor(ctx: TableSourceContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public anyName(): AnyNameContext {
        return this.getRuleContext(0, AnyNameContext)!;
    }
    public LPAREN(): antlr.TerminalNode[];
    public LPAREN(i: number): antlr.TerminalNode | null;
    public LPAREN(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.LPAREN);
    	} else {
    		return this.getToken(GsSqlParser.LPAREN, i);
    	}
    }
    public RPAREN(): antlr.TerminalNode[];
    public RPAREN(i: number): antlr.TerminalNode | null;
    public RPAREN(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.RPAREN);
    	} else {
    		return this.getToken(GsSqlParser.RPAREN, i);
    	}
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public WITH(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.WITH, 0);
    }
    public tableColumn(): TableColumnContext[];
    public tableColumn(i: number): TableColumnContext | null;
    public tableColumn(i?: number): TableColumnContext[] | TableColumnContext | null {
        if (i === undefined) {
            return this.getRuleContexts(TableColumnContext);
        }

        return this.getRuleContext(i, TableColumnContext);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
}
export class NamedTableContext extends TableSourceContext {
    public constructor(ctx: TableSourceContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public tableName(): TableNameContext {
        return this.getRuleContext(0, TableNameContext)!;
    }
}
export class QueryTableContext extends TableSourceContext {
    public constructor(ctx: TableSourceContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public query(): QueryContext {
        return this.getRuleContext(0, QueryContext)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
}


export class TableColumnContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public anyName(): AnyNameContext[];
    public anyName(i: number): AnyNameContext | null;
    public anyName(i?: number): AnyNameContext[] | AnyNameContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AnyNameContext);
        }

        return this.getRuleContext(i, AnyNameContext);
    }
    public INTEGER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INTEGER, 0);
    }
    public STRING(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.STRING, 0);
    }
    public QUOTED(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.QUOTED, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_tableColumn;
    }
}


export class TableNameContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public anyName(): AnyNameContext[];
    public anyName(i: number): AnyNameContext | null;
    public anyName(i?: number): AnyNameContext[] | AnyNameContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AnyNameContext);
        }

        return this.getRuleContext(i, AnyNameContext);
    }
    public DOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DOT, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_tableName;
    }
}


export class ExpressionContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_expression;
    }
    public override copyFrom(ctx: ExpressionContext): void {
        super.copyFrom(ctx);
    }
}
export class PlainContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public value(): ValueContext {
        return this.getRuleContext(0, ValueContext)!;
    }
}
export class NotContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOT, 0);
    }
    public BANG(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.BANG, 0);
    }
}
export class AndContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public AND(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.AND, 0);
    }
    public AMPERSANDS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.AMPERSANDS, 0);
    }
}
export class OrContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public OR(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OR, 0);
    }
    public BARS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.BARS, 0);
    }
}
export class CompareContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public value(): ValueContext {
        return this.getRuleContext(0, ValueContext)!;
    }
    public EQ(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.EQ, 0);
    }
    public EQEQ(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.EQEQ, 0);
    }
    public NE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NE, 0);
    }
    public LT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LT, 0);
    }
    public LE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LE, 0);
    }
    public GT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.GT, 0);
    }
    public GE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.GE, 0);
    }
}
export class IsNullContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public IS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.IS, 0);
    }
    public NULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NULL, 0);
    }
    public ISNULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ISNULL, 0);
    }
    public NOTNULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOTNULL, 0);
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOT, 0);
    }
}
export class LikeContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public LIKE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LIKE, 0)!;
    }
    public value(): ValueContext[];
    public value(i: number): ValueContext | null;
    public value(i?: number): ValueContext[] | ValueContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ValueContext);
        }

        return this.getRuleContext(i, ValueContext);
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOT, 0);
    }
    public ESCAPE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ESCAPE, 0);
    }
}
export class InQueryContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public IN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.IN, 0)!;
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public query(): QueryContext {
        return this.getRuleContext(0, QueryContext)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOT, 0);
    }
}
export class InListContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public IN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.IN, 0)!;
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOT, 0);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
}
export class BetweenContext extends ExpressionContext {
    public constructor(ctx: ExpressionContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public BETWEEN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.BETWEEN, 0)!;
    }
    public value(): ValueContext[];
    public value(i: number): ValueContext | null;
    public value(i?: number): ValueContext[] | ValueContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ValueContext);
        }

        return this.getRuleContext(i, ValueContext);
    }
    public AND(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.AND, 0)!;
    }
    public NOT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOT, 0);
    }
}


export class ValueContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_value;
    }
    public override copyFrom(ctx: ValueContext): void {
        super.copyFrom(ctx);
    }
}
export class IntegerContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public INTEGER(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.INTEGER, 0)!;
    }
}
export class DecimalContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public DECIMAL(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.DECIMAL, 0)!;
    }
}
export class DurationContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public DURATION(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.DURATION, 0)!;
    }
}
export class TextContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public STRING(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.STRING, 0)!;
    }
}
export class TrueContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public TRUE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.TRUE, 0)!;
    }
}
export class FalseContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public FALSE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.FALSE, 0)!;
    }
}
export class NullContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public NULL(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.NULL, 0)!;
    }
}
export class VariableContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public VARIABLE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.VARIABLE, 0)!;
    }
}
export class CastContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public AS(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.AS, 0)!;
    }
    public anyName(): AnyNameContext {
        return this.getRuleContext(0, AnyNameContext)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
    public CAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.CAST, 0);
    }
    public TRY_CAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.TRY_CAST, 0);
    }
}
export class CaseContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public CASE(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.CASE, 0)!;
    }
    public END(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.END, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public whenClause(): WhenClauseContext[];
    public whenClause(i: number): WhenClauseContext | null;
    public whenClause(i?: number): WhenClauseContext[] | WhenClauseContext | null {
        if (i === undefined) {
            return this.getRuleContexts(WhenClauseContext);
        }

        return this.getRuleContext(i, WhenClauseContext);
    }
    public ELSE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ELSE, 0);
    }
}
export class ExistsContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public EXISTS(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.EXISTS, 0)!;
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public query(): QueryContext {
        return this.getRuleContext(0, QueryContext)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
}
export class CallContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public functionName(): FunctionNameContext {
        return this.getRuleContext(0, FunctionNameContext)!;
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
    public STAR(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.STAR, 0);
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public DISTINCT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DISTINCT, 0);
    }
    public COMMA(): antlr.TerminalNode[];
    public COMMA(i: number): antlr.TerminalNode | null;
    public COMMA(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.COMMA);
    	} else {
    		return this.getToken(GsSqlParser.COMMA, i);
    	}
    }
}
export class QualifiedColumnContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public anyName(): AnyNameContext[];
    public anyName(i: number): AnyNameContext | null;
    public anyName(i?: number): AnyNameContext[] | AnyNameContext | null {
        if (i === undefined) {
            return this.getRuleContexts(AnyNameContext);
        }

        return this.getRuleContext(i, AnyNameContext);
    }
    public DOT(): antlr.TerminalNode[];
    public DOT(i: number): antlr.TerminalNode | null;
    public DOT(i?: number): antlr.TerminalNode | null | antlr.TerminalNode[] {
    	if (i === undefined) {
    		return this.getTokens(GsSqlParser.DOT);
    	} else {
    		return this.getToken(GsSqlParser.DOT, i);
    	}
    }
}
export class ColumnContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public name(): NameContext {
        return this.getRuleContext(0, NameContext)!;
    }
}
export class QuotedContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public QUOTED(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.QUOTED, 0)!;
    }
}
export class ScalarQueryContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public query(): QueryContext {
        return this.getRuleContext(0, QueryContext)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
}
export class NestedContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LPAREN, 0)!;
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public RPAREN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.RPAREN, 0)!;
    }
}
export class SignContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public value(): ValueContext {
        return this.getRuleContext(0, ValueContext)!;
    }
    public PLUS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.PLUS, 0);
    }
    public MINUS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.MINUS, 0);
    }
}
export class ProductContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public value(): ValueContext[];
    public value(i: number): ValueContext | null;
    public value(i?: number): ValueContext[] | ValueContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ValueContext);
        }

        return this.getRuleContext(i, ValueContext);
    }
    public STAR(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.STAR, 0);
    }
    public SLASH(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.SLASH, 0);
    }
    public PERCENT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.PERCENT, 0);
    }
}
export class SumContext extends ValueContext {
    public constructor(ctx: ValueContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public value(): ValueContext[];
    public value(i: number): ValueContext | null;
    public value(i?: number): ValueContext[] | ValueContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ValueContext);
        }

        return this.getRuleContext(i, ValueContext);
    }
    public PLUS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.PLUS, 0);
    }
    public MINUS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.MINUS, 0);
    }
}


export class WhenClauseContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public WHEN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.WHEN, 0)!;
    }
    public expression(): ExpressionContext[];
    public expression(i: number): ExpressionContext | null;
    public expression(i?: number): ExpressionContext[] | ExpressionContext | null {
        if (i === undefined) {
            return this.getRuleContexts(ExpressionContext);
        }

        return this.getRuleContext(i, ExpressionContext);
    }
    public THEN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.THEN, 0)!;
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_whenClause;
    }
}


export class AnyNameContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public name(): NameContext | null {
        return this.getRuleContext(0, NameContext);
    }
    public QUOTED(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.QUOTED, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_anyName;
    }
}


export class AliasNameContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public anyName(): AnyNameContext | null {
        return this.getRuleContext(0, AnyNameContext);
    }
    public STRING(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.STRING, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_aliasName;
    }
}


export class BareNameContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public IDENTIFIER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.IDENTIFIER, 0);
    }
    public DELIMITED(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DELIMITED, 0);
    }
    public QUOTED(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.QUOTED, 0);
    }
    public STRING(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.STRING, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_bareName;
    }
}


export class FunctionNameContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public IDENTIFIER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.IDENTIFIER, 0);
    }
    public FIRST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FIRST, 0);
    }
    public ISNULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ISNULL, 0);
    }
    public LAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LAST, 0);
    }
    public LEFT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LEFT, 0);
    }
    public NOTNULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOTNULL, 0);
    }
    public REPLACE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.REPLACE, 0);
    }
    public RIGHT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.RIGHT, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_functionName;
    }
}


export class NameContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public IDENTIFIER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.IDENTIFIER, 0);
    }
    public DELIMITED(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DELIMITED, 0);
    }
    public ASC(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ASC, 0);
    }
    public BY(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.BY, 0);
    }
    public DELETE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DELETE, 0);
    }
    public DESC(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.DESC, 0);
    }
    public END(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.END, 0);
    }
    public ESCAPE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ESCAPE, 0);
    }
    public FIRST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FIRST, 0);
    }
    public FULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FULL, 0);
    }
    public INSERT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INSERT, 0);
    }
    public INTO(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INTO, 0);
    }
    public ISNULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ISNULL, 0);
    }
    public LAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LAST, 0);
    }
    public LEFT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LEFT, 0);
    }
    public NATURAL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NATURAL, 0);
    }
    public NOTNULL(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NOTNULL, 0);
    }
    public NULLS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NULLS, 0);
    }
    public OFFSET(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OFFSET, 0);
    }
    public OTHER_JOIN(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OTHER_JOIN, 0);
    }
    public OUTER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OUTER, 0);
    }
    public REPLACE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.REPLACE, 0);
    }
    public RIGHT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.RIGHT, 0);
    }
    public SET(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.SET, 0);
    }
    public UPDATE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.UPDATE, 0);
    }
    public USING(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.USING, 0);
    }
    public VALUES(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.VALUES, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_name;
    }
}
