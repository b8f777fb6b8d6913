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
    public static readonly GROUP = 21;
    public static readonly HAVING = 22;
    public static readonly IN = 23;
    public static readonly INNER = 24;
    public static readonly INSERT = 25;
    public static readonly INTERSECT = 26;
    public static readonly INTO = 27;
    public static readonly IS = 28;
    public static readonly JOIN = 29;
    public static readonly LAST = 30;
    public static readonly LEFT = 31;
    public static readonly LIKE = 32;
    public static readonly LIMIT = 33;
    public static readonly NOT = 34;
    public static readonly NULL = 35;
    public static readonly NULLS = 36;
    public static readonly OFFSET = 37;
    public static readonly ON = 38;
    public static readonly OR = 39;
    public static readonly ORDER = 40;
    public static readonly OUTER = 41;
    public static readonly REPLACE = 42;
    public static readonly SELECT = 43;
    public static readonly SET = 44;
    public static readonly THEN = 45;
    public static readonly TRUE = 46;
    public static readonly TRY_CAST = 47;
    public static readonly UNION = 48;
    public static readonly UPDATE = 49;
    public static readonly VALUES = 50;
    public static readonly WHEN = 51;
    public static readonly WHERE = 52;
    public static readonly WITH = 53;
    public static readonly AMPERSANDS = 54;
    public static readonly BANG = 55;
    public static readonly BARS = 56;
    public static readonly COMMA = 57;
    public static readonly DOT = 58;
    public static readonly EQ = 59;
    public static readonly EQEQ = 60;
    public static readonly GE = 61;
    public static readonly GT = 62;
    public static readonly LE = 63;
    public static readonly LPAREN = 64;
    public static readonly LT = 65;
    public static readonly MINUS = 66;
    public static readonly NE = 67;
    public static readonly PERCENT = 68;
    public static readonly PLUS = 69;
    public static readonly RPAREN = 70;
    public static readonly SEMICOLON = 71;
    public static readonly SLASH = 72;
    public static readonly STAR = 73;
    public static readonly INTEGER = 74;
    public static readonly DECIMAL = 75;
    public static readonly DURATION = 76;
    public static readonly BAD_NUMBER = 77;
    public static readonly STRING = 78;
    public static readonly QUOTED = 79;
    public static readonly DELIMITED = 80;
    public static readonly VARIABLE = 81;
    public static readonly IDENTIFIER = 82;
    public static readonly LINE_COMMENT = 83;
    public static readonly BLOCK_COMMENT = 84;
    public static readonly BLANK = 85;
    public static readonly OPEN_STRING = 86;
    public static readonly OPEN_QUOTED = 87;
    public static readonly OPEN_COMMENT = 88;
    public static readonly OTHER = 89;
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
    public static readonly RULE_table = 25;
    public static readonly RULE_tableSource = 26;
    public static readonly RULE_tableColumn = 27;
    public static readonly RULE_tableName = 28;
    public static readonly RULE_expression = 29;
    public static readonly RULE_value = 30;
    public static readonly RULE_whenClause = 31;
    public static readonly RULE_anyName = 32;
    public static readonly RULE_aliasName = 33;
    public static readonly RULE_bareName = 34;
    public static readonly RULE_functionName = 35;
    public static readonly RULE_name = 36;

    public static readonly literalNames = [
        null, "'ALL'", "'AND'", "'AS'", "'ASC'", "'BETWEEN'", "'BY'", "'CASE'", 
        "'CAST'", "'CROSS'", "'DELETE'", "'DESC'", "'DISTINCT'", "'ELSE'", 
        "'END'", "'ESCAPE'", "'EXCEPT'", "'EXISTS'", "'FALSE'", "'FIRST'", 
        "'FROM'", "'GROUP'", "'HAVING'", "'IN'", "'INNER'", "'INSERT'", 
        "'INTERSECT'", "'INTO'", "'IS'", "'JOIN'", "'LAST'", "'LEFT'", "'LIKE'", 
        "'LIMIT'", "'NOT'", "'NULL'", "'NULLS'", "'OFFSET'", "'ON'", "'OR'", 
        "'ORDER'", "'OUTER'", "'REPLACE'", "'SELECT'", "'SET'", "'THEN'", 
        "'TRUE'", "'TRY_CAST'", "'UNION'", "'UPDATE'", "'VALUES'", "'WHEN'", 
        "'WHERE'", "'WITH'", "'&&'", "'!'", "'||'", "','", "'.'", "'='", 
        "'=='", "'>='", "'>'", "'<='", "'('", "'<'", "'-'", null, "'%'", 
        "'+'", "')'", "';'", "'/'", "'*'", null, null, null, null, null, 
        null, null, null, null, null, null, null, null, null, "'/*'"
    ];

    public static readonly symbolicNames = [
        null, "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", 
        "CROSS", "DELETE", "DESC", "DISTINCT", "ELSE", "END", "ESCAPE", 
        "EXCEPT", "EXISTS", "FALSE", "FIRST", "FROM", "GROUP", "HAVING", 
        "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LAST", 
        "LEFT", "LIKE", "LIMIT", "NOT", "NULL", "NULLS", "OFFSET", "ON", 
        "OR", "ORDER", "OUTER", "REPLACE", "SELECT", "SET", "THEN", "TRUE", 
        "TRY_CAST", "UNION", "UPDATE", "VALUES", "WHEN", "WHERE", "WITH", 
        "AMPERSANDS", "BANG", "BARS", "COMMA", "DOT", "EQ", "EQEQ", "GE", 
        "GT", "LE", "LPAREN", "LT", "MINUS", "NE", "PERCENT", "PLUS", "RPAREN", 
        "SEMICOLON", "SLASH", "STAR", "INTEGER", "DECIMAL", "DURATION", 
        "BAD_NUMBER", "STRING", "QUOTED", "DELIMITED", "VARIABLE", "IDENTIFIER", 
        "LINE_COMMENT", "BLOCK_COMMENT", "BLANK", "OPEN_STRING", "OPEN_QUOTED", 
        "OPEN_COMMENT", "OTHER"
    ];
    public static readonly ruleNames = [
        "script", "statement", "setVariable", "insert", "insertOption", 
        "update", "assignment", "delete", "query", "withClause", "commonTable", 
        "queryBody", "setOperator", "selectTerm", "select", "values", "valueRow", 
        "selectItem", "groupBy", "having", "orderBy", "orderTerm", "limit", 
        "tables", "join", "table", "tableSource", "tableColumn", "tableName", 
        "expression", "value", "whenClause", "anyName", "aliasName", "bareName", 
        "functionName", "name",
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
            this.state = 77;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 71) {
                {
                {
                this.state = 74;
                this.match(GsSqlParser.SEMICOLON);
                }
                }
                this.state = 79;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 98;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 10 || _la === 25 || ((((_la - 43)) & ~0x1F) === 0 && ((1 << (_la - 43)) & 1219) !== 0)) {
                {
                this.state = 80;
                this.statement();
                this.state = 89;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
                while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                    if (alternative === 1) {
                        {
                        {
                        this.state = 82;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        do {
                            {
                            {
                            this.state = 81;
                            this.match(GsSqlParser.SEMICOLON);
                            }
                            }
                            this.state = 84;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                        } while (_la === 71);
                        this.state = 86;
                        this.statement();
                        }
                        }
                    }
                    this.state = 91;
                    this.errorHandler.sync(this);
                    alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
                }
                this.state = 95;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 71) {
                    {
                    {
                    this.state = 92;
                    this.match(GsSqlParser.SEMICOLON);
                    }
                    }
                    this.state = 97;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                }
            }

            this.state = 100;
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
            this.state = 112;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.SET:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 102;
                this.setVariable();
                }
                break;
            case GsSqlParser.INSERT:
            case GsSqlParser.SELECT:
            case GsSqlParser.VALUES:
            case GsSqlParser.WITH:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 104;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 53) {
                    {
                    this.state = 103;
                    this.withClause();
                    }
                }

                this.state = 108;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.INSERT:
                    {
                    this.state = 106;
                    this.insert();
                    }
                    break;
                case GsSqlParser.SELECT:
                case GsSqlParser.VALUES:
                    {
                    this.state = 107;
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
                this.state = 110;
                this.update();
                }
                break;
            case GsSqlParser.DELETE:
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 111;
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
            this.state = 114;
            this.match(GsSqlParser.SET);
            this.state = 115;
            this.match(GsSqlParser.VARIABLE);
            this.state = 116;
            _la = this.tokenStream.LA(1);
            if(!(_la === 59 || _la === 60)) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            this.state = 117;
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
            this.state = 119;
            this.match(GsSqlParser.INSERT);
            this.state = 122;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 39) {
                {
                this.state = 120;
                this.match(GsSqlParser.OR);
                this.state = 121;
                this.match(GsSqlParser.REPLACE);
                }
            }

            this.state = 124;
            this.match(GsSqlParser.INTO);
            this.state = 125;
            this.tableName();
            this.state = 137;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 64) {
                {
                this.state = 126;
                this.match(GsSqlParser.LPAREN);
                this.state = 127;
                this.anyName();
                this.state = 132;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 57) {
                    {
                    {
                    this.state = 128;
                    this.match(GsSqlParser.COMMA);
                    this.state = 129;
                    this.anyName();
                    }
                    }
                    this.state = 134;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 135;
                this.match(GsSqlParser.RPAREN);
                }
            }

            this.state = 151;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 12, this.context) ) {
            case 1:
                {
                this.state = 139;
                this.match(GsSqlParser.WITH);
                this.state = 140;
                this.match(GsSqlParser.LPAREN);
                this.state = 141;
                this.insertOption();
                this.state = 146;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 57) {
                    {
                    {
                    this.state = 142;
                    this.match(GsSqlParser.COMMA);
                    this.state = 143;
                    this.insertOption();
                    }
                    }
                    this.state = 148;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 149;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            }
            this.state = 153;
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
            this.state = 155;
            this.anyName();
            this.state = 156;
            this.match(GsSqlParser.EQ);
            this.state = 157;
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
            this.state = 159;
            this.match(GsSqlParser.UPDATE);
            this.state = 160;
            this.tableName();
            this.state = 161;
            this.match(GsSqlParser.SET);
            this.state = 162;
            this.assignment();
            this.state = 167;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 163;
                this.match(GsSqlParser.COMMA);
                this.state = 164;
                this.assignment();
                }
                }
                this.state = 169;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 172;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 52) {
                {
                this.state = 170;
                this.match(GsSqlParser.WHERE);
                this.state = 171;
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
            this.state = 174;
            this.anyName();
            this.state = 175;
            this.match(GsSqlParser.EQ);
            this.state = 176;
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
            this.state = 178;
            this.match(GsSqlParser.DELETE);
            this.state = 179;
            this.match(GsSqlParser.FROM);
            this.state = 180;
            this.tableName();
            this.state = 183;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 52) {
                {
                this.state = 181;
                this.match(GsSqlParser.WHERE);
                this.state = 182;
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
            this.state = 186;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 53) {
                {
                this.state = 185;
                this.withClause();
                }
            }

            this.state = 188;
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
            this.state = 190;
            this.match(GsSqlParser.WITH);
            this.state = 191;
            this.commonTable();
            this.state = 196;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 192;
                this.match(GsSqlParser.COMMA);
                this.state = 193;
                this.commonTable();
                }
                }
                this.state = 198;
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
            this.state = 199;
            this.anyName();
            this.state = 211;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 64) {
                {
                this.state = 200;
                this.match(GsSqlParser.LPAREN);
                this.state = 201;
                this.anyName();
                this.state = 206;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 57) {
                    {
                    {
                    this.state = 202;
                    this.match(GsSqlParser.COMMA);
                    this.state = 203;
                    this.anyName();
                    }
                    }
                    this.state = 208;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 209;
                this.match(GsSqlParser.RPAREN);
                }
            }

            this.state = 213;
            this.match(GsSqlParser.AS);
            this.state = 214;
            this.match(GsSqlParser.LPAREN);
            this.state = 215;
            this.query();
            this.state = 216;
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
            this.state = 218;
            this.selectTerm();
            this.state = 224;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 16 || _la === 26 || _la === 48) {
                {
                {
                this.state = 219;
                this.setOperator();
                this.state = 220;
                this.selectTerm();
                }
                }
                this.state = 226;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 228;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 40) {
                {
                this.state = 227;
                this.orderBy();
                }
            }

            this.state = 231;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 33) {
                {
                this.state = 230;
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
            this.state = 239;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.UNION:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 233;
                this.match(GsSqlParser.UNION);
                this.state = 235;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 1) {
                    {
                    this.state = 234;
                    this.match(GsSqlParser.ALL);
                    }
                }

                }
                break;
            case GsSqlParser.EXCEPT:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 237;
                this.match(GsSqlParser.EXCEPT);
                }
                break;
            case GsSqlParser.INTERSECT:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 238;
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
            this.state = 243;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.SELECT:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 241;
                this.select();
                }
                break;
            case GsSqlParser.VALUES:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 242;
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
            this.state = 245;
            this.match(GsSqlParser.SELECT);
            this.state = 247;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 1 || _la === 12) {
                {
                this.state = 246;
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

            this.state = 249;
            this.selectItem();
            this.state = 254;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 250;
                this.match(GsSqlParser.COMMA);
                this.state = 251;
                this.selectItem();
                }
                }
                this.state = 256;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 259;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 20) {
                {
                this.state = 257;
                this.match(GsSqlParser.FROM);
                this.state = 258;
                this.tables();
                }
            }

            this.state = 263;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 52) {
                {
                this.state = 261;
                this.match(GsSqlParser.WHERE);
                this.state = 262;
                this.expression(0);
                }
            }

            this.state = 266;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 21) {
                {
                this.state = 265;
                this.groupBy();
                }
            }

            this.state = 269;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 22) {
                {
                this.state = 268;
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
            this.state = 271;
            this.match(GsSqlParser.VALUES);
            this.state = 272;
            this.valueRow();
            this.state = 277;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 273;
                this.match(GsSqlParser.COMMA);
                this.state = 274;
                this.valueRow();
                }
                }
                this.state = 279;
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
            this.state = 280;
            this.match(GsSqlParser.LPAREN);
            this.state = 281;
            this.expression(0);
            this.state = 286;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 282;
                this.match(GsSqlParser.COMMA);
                this.state = 283;
                this.expression(0);
                }
                }
                this.state = 288;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 289;
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
            this.state = 302;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 35, this.context) ) {
            case 1:
                localContext = new AllColumnsContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 291;
                this.match(GsSqlParser.STAR);
                }
                break;
            case 2:
                localContext = new TableColumnsContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 292;
                this.anyName();
                this.state = 293;
                this.match(GsSqlParser.DOT);
                this.state = 294;
                this.match(GsSqlParser.STAR);
                }
                break;
            case 3:
                localContext = new OneColumnContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 296;
                this.expression(0);
                this.state = 300;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.AS:
                    {
                    this.state = 297;
                    this.match(GsSqlParser.AS);
                    this.state = 298;
                    this.aliasName();
                    }
                    break;
                case GsSqlParser.FIRST:
                case GsSqlParser.LAST:
                case GsSqlParser.REPLACE:
                case GsSqlParser.STRING:
                case GsSqlParser.QUOTED:
                case GsSqlParser.DELIMITED:
                case GsSqlParser.IDENTIFIER:
                    {
                    this.state = 299;
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
            this.state = 304;
            this.match(GsSqlParser.GROUP);
            this.state = 305;
            this.match(GsSqlParser.BY);
            this.state = 306;
            this.expression(0);
            this.state = 311;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 307;
                this.match(GsSqlParser.COMMA);
                this.state = 308;
                this.expression(0);
                }
                }
                this.state = 313;
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
            this.state = 314;
            this.match(GsSqlParser.HAVING);
            this.state = 315;
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
            this.state = 317;
            this.match(GsSqlParser.ORDER);
            this.state = 318;
            this.match(GsSqlParser.BY);
            this.state = 319;
            this.orderTerm();
            this.state = 324;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 57) {
                {
                {
                this.state = 320;
                this.match(GsSqlParser.COMMA);
                this.state = 321;
                this.orderTerm();
                }
                }
                this.state = 326;
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
            this.state = 327;
            this.expression(0);
            this.state = 329;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 4 || _la === 11) {
                {
                this.state = 328;
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

            this.state = 333;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 36) {
                {
                this.state = 331;
                this.match(GsSqlParser.NULLS);
                this.state = 332;
                _la = this.tokenStream.LA(1);
                if(!(_la === 19 || _la === 30)) {
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
            this.state = 335;
            this.match(GsSqlParser.LIMIT);
            this.state = 336;
            this.expression(0);
            this.state = 339;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 37) {
                {
                this.state = 337;
                this.match(GsSqlParser.OFFSET);
                this.state = 338;
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
            this.state = 341;
            this.table();
            this.state = 347;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while ((((_la) & ~0x1F) === 0 && ((1 << _la) & 2701132288) !== 0) || _la === 57) {
                {
                this.state = 345;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.COMMA:
                    {
                    this.state = 342;
                    this.match(GsSqlParser.COMMA);
                    this.state = 343;
                    this.table();
                    }
                    break;
                case GsSqlParser.CROSS:
                case GsSqlParser.INNER:
                case GsSqlParser.JOIN:
                case GsSqlParser.LEFT:
                    {
                    this.state = 344;
                    this.join();
                    }
                    break;
                default:
                    throw new antlr.NoViableAltException(this);
                }
                }
                this.state = 349;
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
            this.state = 372;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.CROSS:
                localContext = new CrossJoinContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 350;
                this.match(GsSqlParser.CROSS);
                this.state = 351;
                this.match(GsSqlParser.JOIN);
                this.state = 352;
                this.table();
                }
                break;
            case GsSqlParser.INNER:
            case GsSqlParser.JOIN:
                localContext = new InnerJoinContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 354;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 24) {
                    {
                    this.state = 353;
                    this.match(GsSqlParser.INNER);
                    }
                }

                this.state = 356;
                this.match(GsSqlParser.JOIN);
                this.state = 357;
                this.table();
                this.state = 360;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 38) {
                    {
                    this.state = 358;
                    this.match(GsSqlParser.ON);
                    this.state = 359;
                    this.expression(0);
                    }
                }

                }
                break;
            case GsSqlParser.LEFT:
                localContext = new LeftJoinContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 362;
                this.match(GsSqlParser.LEFT);
                this.state = 364;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 41) {
                    {
                    this.state = 363;
                    this.match(GsSqlParser.OUTER);
                    }
                }

                this.state = 366;
                this.match(GsSqlParser.JOIN);
                this.state = 367;
                this.table();
                this.state = 370;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 38) {
                    {
                    this.state = 368;
                    this.match(GsSqlParser.ON);
                    this.state = 369;
                    this.expression(0);
                    }
                }

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
        this.enterRule(localContext, 50, GsSqlParser.RULE_table);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 374;
            this.tableSource();
            this.state = 378;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.AS:
                {
                this.state = 375;
                this.match(GsSqlParser.AS);
                this.state = 376;
                this.aliasName();
                }
                break;
            case GsSqlParser.FIRST:
            case GsSqlParser.LAST:
            case GsSqlParser.REPLACE:
            case GsSqlParser.STRING:
            case GsSqlParser.QUOTED:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                {
                this.state = 377;
                this.bareName();
                }
                break;
            case GsSqlParser.EOF:
            case GsSqlParser.CROSS:
            case GsSqlParser.EXCEPT:
            case GsSqlParser.GROUP:
            case GsSqlParser.HAVING:
            case GsSqlParser.INNER:
            case GsSqlParser.INTERSECT:
            case GsSqlParser.JOIN:
            case GsSqlParser.LEFT:
            case GsSqlParser.LIMIT:
            case GsSqlParser.ON:
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
        this.enterRule(localContext, 52, GsSqlParser.RULE_tableSource);
        let _la: number;
        try {
            this.state = 412;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 53, this.context) ) {
            case 1:
                localContext = new TableFunctionContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 380;
                this.anyName();
                this.state = 381;
                this.match(GsSqlParser.LPAREN);
                this.state = 390;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 3389967824) !== 0) || ((((_la - 34)) & ~0x1F) === 0 && ((1 << (_la - 34)) & 1075950991) !== 0) || ((((_la - 66)) & ~0x1F) === 0 && ((1 << (_la - 66)) & 128777) !== 0)) {
                    {
                    this.state = 382;
                    this.expression(0);
                    this.state = 387;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 57) {
                        {
                        {
                        this.state = 383;
                        this.match(GsSqlParser.COMMA);
                        this.state = 384;
                        this.expression(0);
                        }
                        }
                        this.state = 389;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    }
                }

                this.state = 392;
                this.match(GsSqlParser.RPAREN);
                this.state = 405;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 53) {
                    {
                    this.state = 393;
                    this.match(GsSqlParser.WITH);
                    this.state = 394;
                    this.match(GsSqlParser.LPAREN);
                    this.state = 395;
                    this.tableColumn();
                    this.state = 400;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 57) {
                        {
                        {
                        this.state = 396;
                        this.match(GsSqlParser.COMMA);
                        this.state = 397;
                        this.tableColumn();
                        }
                        }
                        this.state = 402;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    this.state = 403;
                    this.match(GsSqlParser.RPAREN);
                    }
                }

                }
                break;
            case 2:
                localContext = new NamedTableContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 407;
                this.tableName();
                }
                break;
            case 3:
                localContext = new QueryTableContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 408;
                this.match(GsSqlParser.LPAREN);
                this.state = 409;
                this.query();
                this.state = 410;
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
        this.enterRule(localContext, 54, GsSqlParser.RULE_tableColumn);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 415;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 74) {
                {
                this.state = 414;
                this.match(GsSqlParser.INTEGER);
                }
            }

            this.state = 417;
            this.anyName();
            this.state = 418;
            this.anyName();
            this.state = 420;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 78 || _la === 79) {
                {
                this.state = 419;
                _la = this.tokenStream.LA(1);
                if(!(_la === 78 || _la === 79)) {
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
        this.enterRule(localContext, 56, GsSqlParser.RULE_tableName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 422;
            this.anyName();
            this.state = 425;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 423;
                this.match(GsSqlParser.DOT);
                this.state = 424;
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
        let _startState = 58;
        this.enterRecursionRule(localContext, 58, GsSqlParser.RULE_expression, _p);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 431;
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
            case GsSqlParser.INSERT:
            case GsSqlParser.INTO:
            case GsSqlParser.LAST:
            case GsSqlParser.LEFT:
            case GsSqlParser.NULL:
            case GsSqlParser.NULLS:
            case GsSqlParser.OFFSET:
            case GsSqlParser.OUTER:
            case GsSqlParser.REPLACE:
            case GsSqlParser.SET:
            case GsSqlParser.TRUE:
            case GsSqlParser.TRY_CAST:
            case GsSqlParser.UPDATE:
            case GsSqlParser.VALUES:
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

                this.state = 428;
                this.value(0);
                }
                break;
            case GsSqlParser.NOT:
            case GsSqlParser.BANG:
                {
                localContext = new NotContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 429;
                _la = this.tokenStream.LA(1);
                if(!(_la === 34 || _la === 55)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 430;
                this.expression(3);
                }
                break;
            default:
                throw new antlr.NoViableAltException(this);
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 495;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 67, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 493;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 66, this.context) ) {
                    case 1:
                        {
                        localContext = new AndContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 433;
                        if (!(this.precpred(this.context, 2))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 2)");
                        }
                        this.state = 434;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 2 || _la === 54)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 435;
                        this.expression(3);
                        }
                        break;
                    case 2:
                        {
                        localContext = new OrContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 436;
                        if (!(this.precpred(this.context, 1))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 1)");
                        }
                        this.state = 437;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 39 || _la === 56)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 438;
                        this.expression(2);
                        }
                        break;
                    case 3:
                        {
                        localContext = new CompareContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 439;
                        if (!(this.precpred(this.context, 9))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 9)");
                        }
                        this.state = 440;
                        _la = this.tokenStream.LA(1);
                        if(!(((((_la - 59)) & ~0x1F) === 0 && ((1 << (_la - 59)) & 351) !== 0))) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 441;
                        this.value(0);
                        }
                        break;
                    case 4:
                        {
                        localContext = new IsNullContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 442;
                        if (!(this.precpred(this.context, 8))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 8)");
                        }
                        this.state = 443;
                        this.match(GsSqlParser.IS);
                        this.state = 445;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 34) {
                            {
                            this.state = 444;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 447;
                        this.match(GsSqlParser.NULL);
                        }
                        break;
                    case 5:
                        {
                        localContext = new LikeContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 448;
                        if (!(this.precpred(this.context, 7))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 7)");
                        }
                        this.state = 450;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 34) {
                            {
                            this.state = 449;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 452;
                        this.match(GsSqlParser.LIKE);
                        this.state = 453;
                        this.value(0);
                        this.state = 456;
                        this.errorHandler.sync(this);
                        switch (this.interpreter.adaptivePredict(this.tokenStream, 60, this.context) ) {
                        case 1:
                            {
                            this.state = 454;
                            this.match(GsSqlParser.ESCAPE);
                            this.state = 455;
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
                        this.state = 458;
                        if (!(this.precpred(this.context, 6))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 6)");
                        }
                        this.state = 460;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 34) {
                            {
                            this.state = 459;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 462;
                        this.match(GsSqlParser.IN);
                        this.state = 463;
                        this.match(GsSqlParser.LPAREN);
                        this.state = 464;
                        this.query();
                        this.state = 465;
                        this.match(GsSqlParser.RPAREN);
                        }
                        break;
                    case 7:
                        {
                        localContext = new InListContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 467;
                        if (!(this.precpred(this.context, 5))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 5)");
                        }
                        this.state = 469;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 34) {
                            {
                            this.state = 468;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 471;
                        this.match(GsSqlParser.IN);
                        this.state = 472;
                        this.match(GsSqlParser.LPAREN);
                        this.state = 481;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 3389967824) !== 0) || ((((_la - 34)) & ~0x1F) === 0 && ((1 << (_la - 34)) & 1075950991) !== 0) || ((((_la - 66)) & ~0x1F) === 0 && ((1 << (_la - 66)) & 128777) !== 0)) {
                            {
                            this.state = 473;
                            this.expression(0);
                            this.state = 478;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                            while (_la === 57) {
                                {
                                {
                                this.state = 474;
                                this.match(GsSqlParser.COMMA);
                                this.state = 475;
                                this.expression(0);
                                }
                                }
                                this.state = 480;
                                this.errorHandler.sync(this);
                                _la = this.tokenStream.LA(1);
                            }
                            }
                        }

                        this.state = 483;
                        this.match(GsSqlParser.RPAREN);
                        }
                        break;
                    case 8:
                        {
                        localContext = new BetweenContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 484;
                        if (!(this.precpred(this.context, 4))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 4)");
                        }
                        this.state = 486;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 34) {
                            {
                            this.state = 485;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 488;
                        this.match(GsSqlParser.BETWEEN);
                        this.state = 489;
                        this.value(0);
                        this.state = 490;
                        this.match(GsSqlParser.AND);
                        this.state = 491;
                        this.value(0);
                        }
                        break;
                    }
                    }
                }
                this.state = 497;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 67, this.context);
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
        let _startState = 60;
        this.enterRecursionRule(localContext, 60, GsSqlParser.RULE_value, _p);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 571;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 75, this.context) ) {
            case 1:
                {
                localContext = new IntegerContext(localContext);
                this.context = localContext;
                previousContext = localContext;

                this.state = 499;
                this.match(GsSqlParser.INTEGER);
                }
                break;
            case 2:
                {
                localContext = new DecimalContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 500;
                this.match(GsSqlParser.DECIMAL);
                }
                break;
            case 3:
                {
                localContext = new DurationContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 501;
                this.match(GsSqlParser.DURATION);
                }
                break;
            case 4:
                {
                localContext = new TextContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 502;
                this.match(GsSqlParser.STRING);
                }
                break;
            case 5:
                {
                localContext = new TrueContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 503;
                this.match(GsSqlParser.TRUE);
                }
                break;
            case 6:
                {
                localContext = new FalseContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 504;
                this.match(GsSqlParser.FALSE);
                }
                break;
            case 7:
                {
                localContext = new NullContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 505;
                this.match(GsSqlParser.NULL);
                }
                break;
            case 8:
                {
                localContext = new VariableContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 506;
                this.match(GsSqlParser.VARIABLE);
                }
                break;
            case 9:
                {
                localContext = new CastContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 507;
                _la = this.tokenStream.LA(1);
                if(!(_la === 8 || _la === 47)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 508;
                this.match(GsSqlParser.LPAREN);
                this.state = 509;
                this.expression(0);
                this.state = 510;
                this.match(GsSqlParser.AS);
                this.state = 511;
                this.anyName();
                this.state = 512;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 10:
                {
                localContext = new CaseContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 514;
                this.match(GsSqlParser.CASE);
                this.state = 516;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 3389967824) !== 0) || ((((_la - 34)) & ~0x1F) === 0 && ((1 << (_la - 34)) & 1075950991) !== 0) || ((((_la - 66)) & ~0x1F) === 0 && ((1 << (_la - 66)) & 128777) !== 0)) {
                    {
                    this.state = 515;
                    this.expression(0);
                    }
                }

                this.state = 519;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                do {
                    {
                    {
                    this.state = 518;
                    this.whenClause();
                    }
                    }
                    this.state = 521;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                } while (_la === 51);
                this.state = 525;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 13) {
                    {
                    this.state = 523;
                    this.match(GsSqlParser.ELSE);
                    this.state = 524;
                    this.expression(0);
                    }
                }

                this.state = 527;
                this.match(GsSqlParser.END);
                }
                break;
            case 11:
                {
                localContext = new ExistsContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 529;
                this.match(GsSqlParser.EXISTS);
                this.state = 530;
                this.match(GsSqlParser.LPAREN);
                this.state = 531;
                this.query();
                this.state = 532;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 12:
                {
                localContext = new CallContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 534;
                this.functionName();
                this.state = 535;
                this.match(GsSqlParser.LPAREN);
                this.state = 548;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.STAR:
                    {
                    this.state = 536;
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
                case GsSqlParser.INSERT:
                case GsSqlParser.INTO:
                case GsSqlParser.LAST:
                case GsSqlParser.LEFT:
                case GsSqlParser.NOT:
                case GsSqlParser.NULL:
                case GsSqlParser.NULLS:
                case GsSqlParser.OFFSET:
                case GsSqlParser.OUTER:
                case GsSqlParser.REPLACE:
                case GsSqlParser.SET:
                case GsSqlParser.TRUE:
                case GsSqlParser.TRY_CAST:
                case GsSqlParser.UPDATE:
                case GsSqlParser.VALUES:
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
                    this.state = 538;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    if (_la === 12) {
                        {
                        this.state = 537;
                        this.match(GsSqlParser.DISTINCT);
                        }
                    }

                    this.state = 540;
                    this.expression(0);
                    this.state = 545;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 57) {
                        {
                        {
                        this.state = 541;
                        this.match(GsSqlParser.COMMA);
                        this.state = 542;
                        this.expression(0);
                        }
                        }
                        this.state = 547;
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
                this.state = 550;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 13:
                {
                localContext = new QualifiedColumnContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 552;
                this.anyName();
                this.state = 553;
                this.match(GsSqlParser.DOT);
                this.state = 554;
                this.anyName();
                this.state = 557;
                this.errorHandler.sync(this);
                switch (this.interpreter.adaptivePredict(this.tokenStream, 74, this.context) ) {
                case 1:
                    {
                    this.state = 555;
                    this.match(GsSqlParser.DOT);
                    this.state = 556;
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
                this.state = 559;
                this.name();
                }
                break;
            case 15:
                {
                localContext = new QuotedContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 560;
                this.match(GsSqlParser.QUOTED);
                }
                break;
            case 16:
                {
                localContext = new ScalarQueryContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 561;
                this.match(GsSqlParser.LPAREN);
                this.state = 562;
                this.query();
                this.state = 563;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 17:
                {
                localContext = new NestedContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 565;
                this.match(GsSqlParser.LPAREN);
                this.state = 566;
                this.expression(0);
                this.state = 567;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 18:
                {
                localContext = new SignContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 569;
                _la = this.tokenStream.LA(1);
                if(!(_la === 66 || _la === 69)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 570;
                this.value(3);
                }
                break;
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 581;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 77, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 579;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 76, this.context) ) {
                    case 1:
                        {
                        localContext = new ProductContext(new ValueContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_value);
                        this.state = 573;
                        if (!(this.precpred(this.context, 2))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 2)");
                        }
                        this.state = 574;
                        _la = this.tokenStream.LA(1);
                        if(!(((((_la - 68)) & ~0x1F) === 0 && ((1 << (_la - 68)) & 49) !== 0))) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 575;
                        this.value(3);
                        }
                        break;
                    case 2:
                        {
                        localContext = new SumContext(new ValueContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_value);
                        this.state = 576;
                        if (!(this.precpred(this.context, 1))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 1)");
                        }
                        this.state = 577;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 66 || _la === 69)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 578;
                        this.value(2);
                        }
                        break;
                    }
                    }
                }
                this.state = 583;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 77, this.context);
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
        this.enterRule(localContext, 62, GsSqlParser.RULE_whenClause);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 584;
            this.match(GsSqlParser.WHEN);
            this.state = 585;
            this.expression(0);
            this.state = 586;
            this.match(GsSqlParser.THEN);
            this.state = 587;
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
        this.enterRule(localContext, 64, GsSqlParser.RULE_anyName);
        try {
            this.state = 591;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ASC:
            case GsSqlParser.BY:
            case GsSqlParser.DELETE:
            case GsSqlParser.DESC:
            case GsSqlParser.END:
            case GsSqlParser.ESCAPE:
            case GsSqlParser.FIRST:
            case GsSqlParser.INSERT:
            case GsSqlParser.INTO:
            case GsSqlParser.LAST:
            case GsSqlParser.LEFT:
            case GsSqlParser.NULLS:
            case GsSqlParser.OFFSET:
            case GsSqlParser.OUTER:
            case GsSqlParser.REPLACE:
            case GsSqlParser.SET:
            case GsSqlParser.UPDATE:
            case GsSqlParser.VALUES:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 589;
                this.name();
                }
                break;
            case GsSqlParser.QUOTED:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 590;
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
        this.enterRule(localContext, 66, GsSqlParser.RULE_aliasName);
        try {
            this.state = 595;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ASC:
            case GsSqlParser.BY:
            case GsSqlParser.DELETE:
            case GsSqlParser.DESC:
            case GsSqlParser.END:
            case GsSqlParser.ESCAPE:
            case GsSqlParser.FIRST:
            case GsSqlParser.INSERT:
            case GsSqlParser.INTO:
            case GsSqlParser.LAST:
            case GsSqlParser.LEFT:
            case GsSqlParser.NULLS:
            case GsSqlParser.OFFSET:
            case GsSqlParser.OUTER:
            case GsSqlParser.REPLACE:
            case GsSqlParser.SET:
            case GsSqlParser.UPDATE:
            case GsSqlParser.VALUES:
            case GsSqlParser.QUOTED:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 593;
                this.anyName();
                }
                break;
            case GsSqlParser.STRING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 594;
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
        this.enterRule(localContext, 68, GsSqlParser.RULE_bareName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 597;
            _la = this.tokenStream.LA(1);
            if(!(((((_la - 19)) & ~0x1F) === 0 && ((1 << (_la - 19)) & 8390657) !== 0) || ((((_la - 78)) & ~0x1F) === 0 && ((1 << (_la - 78)) & 23) !== 0))) {
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
        this.enterRule(localContext, 70, GsSqlParser.RULE_functionName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 599;
            _la = this.tokenStream.LA(1);
            if(!(((((_la - 19)) & ~0x1F) === 0 && ((1 << (_la - 19)) & 8394753) !== 0) || _la === 82)) {
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
        this.enterRule(localContext, 72, GsSqlParser.RULE_name);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 601;
            _la = this.tokenStream.LA(1);
            if(!((((_la) & ~0x1F) === 0 && ((1 << _la) & 3389574224) !== 0) || ((((_la - 36)) & ~0x1F) === 0 && ((1 << (_la - 36)) & 24931) !== 0) || _la === 80 || _la === 82)) {
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
        case 29:
            return this.expression_sempred(localContext as ExpressionContext, predIndex);
        case 30:
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
        4,1,89,604,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,1,0,5,0,76,8,0,10,0,12,0,79,9,
        0,1,0,1,0,4,0,83,8,0,11,0,12,0,84,1,0,5,0,88,8,0,10,0,12,0,91,9,
        0,1,0,5,0,94,8,0,10,0,12,0,97,9,0,3,0,99,8,0,1,0,1,0,1,1,1,1,3,1,
        105,8,1,1,1,1,1,3,1,109,8,1,1,1,1,1,3,1,113,8,1,1,2,1,2,1,2,1,2,
        1,2,1,3,1,3,1,3,3,3,123,8,3,1,3,1,3,1,3,1,3,1,3,1,3,5,3,131,8,3,
        10,3,12,3,134,9,3,1,3,1,3,3,3,138,8,3,1,3,1,3,1,3,1,3,1,3,5,3,145,
        8,3,10,3,12,3,148,9,3,1,3,1,3,3,3,152,8,3,1,3,1,3,1,4,1,4,1,4,1,
        4,1,5,1,5,1,5,1,5,1,5,1,5,5,5,166,8,5,10,5,12,5,169,9,5,1,5,1,5,
        3,5,173,8,5,1,6,1,6,1,6,1,6,1,7,1,7,1,7,1,7,1,7,3,7,184,8,7,1,8,
        3,8,187,8,8,1,8,1,8,1,9,1,9,1,9,1,9,5,9,195,8,9,10,9,12,9,198,9,
        9,1,10,1,10,1,10,1,10,1,10,5,10,205,8,10,10,10,12,10,208,9,10,1,
        10,1,10,3,10,212,8,10,1,10,1,10,1,10,1,10,1,10,1,11,1,11,1,11,1,
        11,5,11,223,8,11,10,11,12,11,226,9,11,1,11,3,11,229,8,11,1,11,3,
        11,232,8,11,1,12,1,12,3,12,236,8,12,1,12,1,12,3,12,240,8,12,1,13,
        1,13,3,13,244,8,13,1,14,1,14,3,14,248,8,14,1,14,1,14,1,14,5,14,253,
        8,14,10,14,12,14,256,9,14,1,14,1,14,3,14,260,8,14,1,14,1,14,3,14,
        264,8,14,1,14,3,14,267,8,14,1,14,3,14,270,8,14,1,15,1,15,1,15,1,
        15,5,15,276,8,15,10,15,12,15,279,9,15,1,16,1,16,1,16,1,16,5,16,285,
        8,16,10,16,12,16,288,9,16,1,16,1,16,1,17,1,17,1,17,1,17,1,17,1,17,
        1,17,1,17,1,17,3,17,301,8,17,3,17,303,8,17,1,18,1,18,1,18,1,18,1,
        18,5,18,310,8,18,10,18,12,18,313,9,18,1,19,1,19,1,19,1,20,1,20,1,
        20,1,20,1,20,5,20,323,8,20,10,20,12,20,326,9,20,1,21,1,21,3,21,330,
        8,21,1,21,1,21,3,21,334,8,21,1,22,1,22,1,22,1,22,3,22,340,8,22,1,
        23,1,23,1,23,1,23,5,23,346,8,23,10,23,12,23,349,9,23,1,24,1,24,1,
        24,1,24,3,24,355,8,24,1,24,1,24,1,24,1,24,3,24,361,8,24,1,24,1,24,
        3,24,365,8,24,1,24,1,24,1,24,1,24,3,24,371,8,24,3,24,373,8,24,1,
        25,1,25,1,25,1,25,3,25,379,8,25,1,26,1,26,1,26,1,26,1,26,5,26,386,
        8,26,10,26,12,26,389,9,26,3,26,391,8,26,1,26,1,26,1,26,1,26,1,26,
        1,26,5,26,399,8,26,10,26,12,26,402,9,26,1,26,1,26,3,26,406,8,26,
        1,26,1,26,1,26,1,26,1,26,3,26,413,8,26,1,27,3,27,416,8,27,1,27,1,
        27,1,27,3,27,421,8,27,1,28,1,28,1,28,3,28,426,8,28,1,29,1,29,1,29,
        1,29,3,29,432,8,29,1,29,1,29,1,29,1,29,1,29,1,29,1,29,1,29,1,29,
        1,29,1,29,1,29,3,29,446,8,29,1,29,1,29,1,29,3,29,451,8,29,1,29,1,
        29,1,29,1,29,3,29,457,8,29,1,29,1,29,3,29,461,8,29,1,29,1,29,1,29,
        1,29,1,29,1,29,1,29,3,29,470,8,29,1,29,1,29,1,29,1,29,1,29,5,29,
        477,8,29,10,29,12,29,480,9,29,3,29,482,8,29,1,29,1,29,1,29,3,29,
        487,8,29,1,29,1,29,1,29,1,29,1,29,5,29,494,8,29,10,29,12,29,497,
        9,29,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,
        1,30,1,30,1,30,1,30,1,30,1,30,3,30,517,8,30,1,30,4,30,520,8,30,11,
        30,12,30,521,1,30,1,30,3,30,526,8,30,1,30,1,30,1,30,1,30,1,30,1,
        30,1,30,1,30,1,30,1,30,1,30,3,30,539,8,30,1,30,1,30,1,30,5,30,544,
        8,30,10,30,12,30,547,9,30,3,30,549,8,30,1,30,1,30,1,30,1,30,1,30,
        1,30,1,30,3,30,558,8,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,1,30,
        1,30,1,30,1,30,1,30,3,30,572,8,30,1,30,1,30,1,30,1,30,1,30,1,30,
        5,30,580,8,30,10,30,12,30,583,9,30,1,31,1,31,1,31,1,31,1,31,1,32,
        1,32,3,32,592,8,32,1,33,1,33,3,33,596,8,33,1,34,1,34,1,35,1,35,1,
        36,1,36,1,36,0,2,58,60,37,0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,
        30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,
        0,15,1,0,59,60,2,0,1,1,12,12,2,0,4,4,11,11,2,0,19,19,30,30,1,0,78,
        79,2,0,34,34,55,55,2,0,2,2,54,54,2,0,39,39,56,56,3,0,59,63,65,65,
        67,67,2,0,8,8,47,47,2,0,66,66,69,69,2,0,68,68,72,73,5,0,19,19,30,
        30,42,42,78,80,82,82,4,0,19,19,30,31,42,42,82,82,14,0,4,4,6,6,10,
        11,14,15,19,19,25,25,27,27,30,31,36,37,41,42,44,44,49,50,80,80,82,
        82,677,0,77,1,0,0,0,2,112,1,0,0,0,4,114,1,0,0,0,6,119,1,0,0,0,8,
        155,1,0,0,0,10,159,1,0,0,0,12,174,1,0,0,0,14,178,1,0,0,0,16,186,
        1,0,0,0,18,190,1,0,0,0,20,199,1,0,0,0,22,218,1,0,0,0,24,239,1,0,
        0,0,26,243,1,0,0,0,28,245,1,0,0,0,30,271,1,0,0,0,32,280,1,0,0,0,
        34,302,1,0,0,0,36,304,1,0,0,0,38,314,1,0,0,0,40,317,1,0,0,0,42,327,
        1,0,0,0,44,335,1,0,0,0,46,341,1,0,0,0,48,372,1,0,0,0,50,374,1,0,
        0,0,52,412,1,0,0,0,54,415,1,0,0,0,56,422,1,0,0,0,58,431,1,0,0,0,
        60,571,1,0,0,0,62,584,1,0,0,0,64,591,1,0,0,0,66,595,1,0,0,0,68,597,
        1,0,0,0,70,599,1,0,0,0,72,601,1,0,0,0,74,76,5,71,0,0,75,74,1,0,0,
        0,76,79,1,0,0,0,77,75,1,0,0,0,77,78,1,0,0,0,78,98,1,0,0,0,79,77,
        1,0,0,0,80,89,3,2,1,0,81,83,5,71,0,0,82,81,1,0,0,0,83,84,1,0,0,0,
        84,82,1,0,0,0,84,85,1,0,0,0,85,86,1,0,0,0,86,88,3,2,1,0,87,82,1,
        0,0,0,88,91,1,0,0,0,89,87,1,0,0,0,89,90,1,0,0,0,90,95,1,0,0,0,91,
        89,1,0,0,0,92,94,5,71,0,0,93,92,1,0,0,0,94,97,1,0,0,0,95,93,1,0,
        0,0,95,96,1,0,0,0,96,99,1,0,0,0,97,95,1,0,0,0,98,80,1,0,0,0,98,99,
        1,0,0,0,99,100,1,0,0,0,100,101,5,0,0,1,101,1,1,0,0,0,102,113,3,4,
        2,0,103,105,3,18,9,0,104,103,1,0,0,0,104,105,1,0,0,0,105,108,1,0,
        0,0,106,109,3,6,3,0,107,109,3,22,11,0,108,106,1,0,0,0,108,107,1,
        0,0,0,109,113,1,0,0,0,110,113,3,10,5,0,111,113,3,14,7,0,112,102,
        1,0,0,0,112,104,1,0,0,0,112,110,1,0,0,0,112,111,1,0,0,0,113,3,1,
        0,0,0,114,115,5,44,0,0,115,116,5,81,0,0,116,117,7,0,0,0,117,118,
        3,58,29,0,118,5,1,0,0,0,119,122,5,25,0,0,120,121,5,39,0,0,121,123,
        5,42,0,0,122,120,1,0,0,0,122,123,1,0,0,0,123,124,1,0,0,0,124,125,
        5,27,0,0,125,137,3,56,28,0,126,127,5,64,0,0,127,132,3,64,32,0,128,
        129,5,57,0,0,129,131,3,64,32,0,130,128,1,0,0,0,131,134,1,0,0,0,132,
        130,1,0,0,0,132,133,1,0,0,0,133,135,1,0,0,0,134,132,1,0,0,0,135,
        136,5,70,0,0,136,138,1,0,0,0,137,126,1,0,0,0,137,138,1,0,0,0,138,
        151,1,0,0,0,139,140,5,53,0,0,140,141,5,64,0,0,141,146,3,8,4,0,142,
        143,5,57,0,0,143,145,3,8,4,0,144,142,1,0,0,0,145,148,1,0,0,0,146,
        144,1,0,0,0,146,147,1,0,0,0,147,149,1,0,0,0,148,146,1,0,0,0,149,
        150,5,70,0,0,150,152,1,0,0,0,151,139,1,0,0,0,151,152,1,0,0,0,152,
        153,1,0,0,0,153,154,3,16,8,0,154,7,1,0,0,0,155,156,3,64,32,0,156,
        157,5,59,0,0,157,158,3,58,29,0,158,9,1,0,0,0,159,160,5,49,0,0,160,
        161,3,56,28,0,161,162,5,44,0,0,162,167,3,12,6,0,163,164,5,57,0,0,
        164,166,3,12,6,0,165,163,1,0,0,0,166,169,1,0,0,0,167,165,1,0,0,0,
        167,168,1,0,0,0,168,172,1,0,0,0,169,167,1,0,0,0,170,171,5,52,0,0,
        171,173,3,58,29,0,172,170,1,0,0,0,172,173,1,0,0,0,173,11,1,0,0,0,
        174,175,3,64,32,0,175,176,5,59,0,0,176,177,3,58,29,0,177,13,1,0,
        0,0,178,179,5,10,0,0,179,180,5,20,0,0,180,183,3,56,28,0,181,182,
        5,52,0,0,182,184,3,58,29,0,183,181,1,0,0,0,183,184,1,0,0,0,184,15,
        1,0,0,0,185,187,3,18,9,0,186,185,1,0,0,0,186,187,1,0,0,0,187,188,
        1,0,0,0,188,189,3,22,11,0,189,17,1,0,0,0,190,191,5,53,0,0,191,196,
        3,20,10,0,192,193,5,57,0,0,193,195,3,20,10,0,194,192,1,0,0,0,195,
        198,1,0,0,0,196,194,1,0,0,0,196,197,1,0,0,0,197,19,1,0,0,0,198,196,
        1,0,0,0,199,211,3,64,32,0,200,201,5,64,0,0,201,206,3,64,32,0,202,
        203,5,57,0,0,203,205,3,64,32,0,204,202,1,0,0,0,205,208,1,0,0,0,206,
        204,1,0,0,0,206,207,1,0,0,0,207,209,1,0,0,0,208,206,1,0,0,0,209,
        210,5,70,0,0,210,212,1,0,0,0,211,200,1,0,0,0,211,212,1,0,0,0,212,
        213,1,0,0,0,213,214,5,3,0,0,214,215,5,64,0,0,215,216,3,16,8,0,216,
        217,5,70,0,0,217,21,1,0,0,0,218,224,3,26,13,0,219,220,3,24,12,0,
        220,221,3,26,13,0,221,223,1,0,0,0,222,219,1,0,0,0,223,226,1,0,0,
        0,224,222,1,0,0,0,224,225,1,0,0,0,225,228,1,0,0,0,226,224,1,0,0,
        0,227,229,3,40,20,0,228,227,1,0,0,0,228,229,1,0,0,0,229,231,1,0,
        0,0,230,232,3,44,22,0,231,230,1,0,0,0,231,232,1,0,0,0,232,23,1,0,
        0,0,233,235,5,48,0,0,234,236,5,1,0,0,235,234,1,0,0,0,235,236,1,0,
        0,0,236,240,1,0,0,0,237,240,5,16,0,0,238,240,5,26,0,0,239,233,1,
        0,0,0,239,237,1,0,0,0,239,238,1,0,0,0,240,25,1,0,0,0,241,244,3,28,
        14,0,242,244,3,30,15,0,243,241,1,0,0,0,243,242,1,0,0,0,244,27,1,
        0,0,0,245,247,5,43,0,0,246,248,7,1,0,0,247,246,1,0,0,0,247,248,1,
        0,0,0,248,249,1,0,0,0,249,254,3,34,17,0,250,251,5,57,0,0,251,253,
        3,34,17,0,252,250,1,0,0,0,253,256,1,0,0,0,254,252,1,0,0,0,254,255,
        1,0,0,0,255,259,1,0,0,0,256,254,1,0,0,0,257,258,5,20,0,0,258,260,
        3,46,23,0,259,257,1,0,0,0,259,260,1,0,0,0,260,263,1,0,0,0,261,262,
        5,52,0,0,262,264,3,58,29,0,263,261,1,0,0,0,263,264,1,0,0,0,264,266,
        1,0,0,0,265,267,3,36,18,0,266,265,1,0,0,0,266,267,1,0,0,0,267,269,
        1,0,0,0,268,270,3,38,19,0,269,268,1,0,0,0,269,270,1,0,0,0,270,29,
        1,0,0,0,271,272,5,50,0,0,272,277,3,32,16,0,273,274,5,57,0,0,274,
        276,3,32,16,0,275,273,1,0,0,0,276,279,1,0,0,0,277,275,1,0,0,0,277,
        278,1,0,0,0,278,31,1,0,0,0,279,277,1,0,0,0,280,281,5,64,0,0,281,
        286,3,58,29,0,282,283,5,57,0,0,283,285,3,58,29,0,284,282,1,0,0,0,
        285,288,1,0,0,0,286,284,1,0,0,0,286,287,1,0,0,0,287,289,1,0,0,0,
        288,286,1,0,0,0,289,290,5,70,0,0,290,33,1,0,0,0,291,303,5,73,0,0,
        292,293,3,64,32,0,293,294,5,58,0,0,294,295,5,73,0,0,295,303,1,0,
        0,0,296,300,3,58,29,0,297,298,5,3,0,0,298,301,3,66,33,0,299,301,
        3,68,34,0,300,297,1,0,0,0,300,299,1,0,0,0,300,301,1,0,0,0,301,303,
        1,0,0,0,302,291,1,0,0,0,302,292,1,0,0,0,302,296,1,0,0,0,303,35,1,
        0,0,0,304,305,5,21,0,0,305,306,5,6,0,0,306,311,3,58,29,0,307,308,
        5,57,0,0,308,310,3,58,29,0,309,307,1,0,0,0,310,313,1,0,0,0,311,309,
        1,0,0,0,311,312,1,0,0,0,312,37,1,0,0,0,313,311,1,0,0,0,314,315,5,
        22,0,0,315,316,3,58,29,0,316,39,1,0,0,0,317,318,5,40,0,0,318,319,
        5,6,0,0,319,324,3,42,21,0,320,321,5,57,0,0,321,323,3,42,21,0,322,
        320,1,0,0,0,323,326,1,0,0,0,324,322,1,0,0,0,324,325,1,0,0,0,325,
        41,1,0,0,0,326,324,1,0,0,0,327,329,3,58,29,0,328,330,7,2,0,0,329,
        328,1,0,0,0,329,330,1,0,0,0,330,333,1,0,0,0,331,332,5,36,0,0,332,
        334,7,3,0,0,333,331,1,0,0,0,333,334,1,0,0,0,334,43,1,0,0,0,335,336,
        5,33,0,0,336,339,3,58,29,0,337,338,5,37,0,0,338,340,3,58,29,0,339,
        337,1,0,0,0,339,340,1,0,0,0,340,45,1,0,0,0,341,347,3,50,25,0,342,
        343,5,57,0,0,343,346,3,50,25,0,344,346,3,48,24,0,345,342,1,0,0,0,
        345,344,1,0,0,0,346,349,1,0,0,0,347,345,1,0,0,0,347,348,1,0,0,0,
        348,47,1,0,0,0,349,347,1,0,0,0,350,351,5,9,0,0,351,352,5,29,0,0,
        352,373,3,50,25,0,353,355,5,24,0,0,354,353,1,0,0,0,354,355,1,0,0,
        0,355,356,1,0,0,0,356,357,5,29,0,0,357,360,3,50,25,0,358,359,5,38,
        0,0,359,361,3,58,29,0,360,358,1,0,0,0,360,361,1,0,0,0,361,373,1,
        0,0,0,362,364,5,31,0,0,363,365,5,41,0,0,364,363,1,0,0,0,364,365,
        1,0,0,0,365,366,1,0,0,0,366,367,5,29,0,0,367,370,3,50,25,0,368,369,
        5,38,0,0,369,371,3,58,29,0,370,368,1,0,0,0,370,371,1,0,0,0,371,373,
        1,0,0,0,372,350,1,0,0,0,372,354,1,0,0,0,372,362,1,0,0,0,373,49,1,
        0,0,0,374,378,3,52,26,0,375,376,5,3,0,0,376,379,3,66,33,0,377,379,
        3,68,34,0,378,375,1,0,0,0,378,377,1,0,0,0,378,379,1,0,0,0,379,51,
        1,0,0,0,380,381,3,64,32,0,381,390,5,64,0,0,382,387,3,58,29,0,383,
        384,5,57,0,0,384,386,3,58,29,0,385,383,1,0,0,0,386,389,1,0,0,0,387,
        385,1,0,0,0,387,388,1,0,0,0,388,391,1,0,0,0,389,387,1,0,0,0,390,
        382,1,0,0,0,390,391,1,0,0,0,391,392,1,0,0,0,392,405,5,70,0,0,393,
        394,5,53,0,0,394,395,5,64,0,0,395,400,3,54,27,0,396,397,5,57,0,0,
        397,399,3,54,27,0,398,396,1,0,0,0,399,402,1,0,0,0,400,398,1,0,0,
        0,400,401,1,0,0,0,401,403,1,0,0,0,402,400,1,0,0,0,403,404,5,70,0,
        0,404,406,1,0,0,0,405,393,1,0,0,0,405,406,1,0,0,0,406,413,1,0,0,
        0,407,413,3,56,28,0,408,409,5,64,0,0,409,410,3,16,8,0,410,411,5,
        70,0,0,411,413,1,0,0,0,412,380,1,0,0,0,412,407,1,0,0,0,412,408,1,
        0,0,0,413,53,1,0,0,0,414,416,5,74,0,0,415,414,1,0,0,0,415,416,1,
        0,0,0,416,417,1,0,0,0,417,418,3,64,32,0,418,420,3,64,32,0,419,421,
        7,4,0,0,420,419,1,0,0,0,420,421,1,0,0,0,421,55,1,0,0,0,422,425,3,
        64,32,0,423,424,5,58,0,0,424,426,3,64,32,0,425,423,1,0,0,0,425,426,
        1,0,0,0,426,57,1,0,0,0,427,428,6,29,-1,0,428,432,3,60,30,0,429,430,
        7,5,0,0,430,432,3,58,29,3,431,427,1,0,0,0,431,429,1,0,0,0,432,495,
        1,0,0,0,433,434,10,2,0,0,434,435,7,6,0,0,435,494,3,58,29,3,436,437,
        10,1,0,0,437,438,7,7,0,0,438,494,3,58,29,2,439,440,10,9,0,0,440,
        441,7,8,0,0,441,494,3,60,30,0,442,443,10,8,0,0,443,445,5,28,0,0,
        444,446,5,34,0,0,445,444,1,0,0,0,445,446,1,0,0,0,446,447,1,0,0,0,
        447,494,5,35,0,0,448,450,10,7,0,0,449,451,5,34,0,0,450,449,1,0,0,
        0,450,451,1,0,0,0,451,452,1,0,0,0,452,453,5,32,0,0,453,456,3,60,
        30,0,454,455,5,15,0,0,455,457,3,60,30,0,456,454,1,0,0,0,456,457,
        1,0,0,0,457,494,1,0,0,0,458,460,10,6,0,0,459,461,5,34,0,0,460,459,
        1,0,0,0,460,461,1,0,0,0,461,462,1,0,0,0,462,463,5,23,0,0,463,464,
        5,64,0,0,464,465,3,16,8,0,465,466,5,70,0,0,466,494,1,0,0,0,467,469,
        10,5,0,0,468,470,5,34,0,0,469,468,1,0,0,0,469,470,1,0,0,0,470,471,
        1,0,0,0,471,472,5,23,0,0,472,481,5,64,0,0,473,478,3,58,29,0,474,
        475,5,57,0,0,475,477,3,58,29,0,476,474,1,0,0,0,477,480,1,0,0,0,478,
        476,1,0,0,0,478,479,1,0,0,0,479,482,1,0,0,0,480,478,1,0,0,0,481,
        473,1,0,0,0,481,482,1,0,0,0,482,483,1,0,0,0,483,494,5,70,0,0,484,
        486,10,4,0,0,485,487,5,34,0,0,486,485,1,0,0,0,486,487,1,0,0,0,487,
        488,1,0,0,0,488,489,5,5,0,0,489,490,3,60,30,0,490,491,5,2,0,0,491,
        492,3,60,30,0,492,494,1,0,0,0,493,433,1,0,0,0,493,436,1,0,0,0,493,
        439,1,0,0,0,493,442,1,0,0,0,493,448,1,0,0,0,493,458,1,0,0,0,493,
        467,1,0,0,0,493,484,1,0,0,0,494,497,1,0,0,0,495,493,1,0,0,0,495,
        496,1,0,0,0,496,59,1,0,0,0,497,495,1,0,0,0,498,499,6,30,-1,0,499,
        572,5,74,0,0,500,572,5,75,0,0,501,572,5,76,0,0,502,572,5,78,0,0,
        503,572,5,46,0,0,504,572,5,18,0,0,505,572,5,35,0,0,506,572,5,81,
        0,0,507,508,7,9,0,0,508,509,5,64,0,0,509,510,3,58,29,0,510,511,5,
        3,0,0,511,512,3,64,32,0,512,513,5,70,0,0,513,572,1,0,0,0,514,516,
        5,7,0,0,515,517,3,58,29,0,516,515,1,0,0,0,516,517,1,0,0,0,517,519,
        1,0,0,0,518,520,3,62,31,0,519,518,1,0,0,0,520,521,1,0,0,0,521,519,
        1,0,0,0,521,522,1,0,0,0,522,525,1,0,0,0,523,524,5,13,0,0,524,526,
        3,58,29,0,525,523,1,0,0,0,525,526,1,0,0,0,526,527,1,0,0,0,527,528,
        5,14,0,0,528,572,1,0,0,0,529,530,5,17,0,0,530,531,5,64,0,0,531,532,
        3,16,8,0,532,533,5,70,0,0,533,572,1,0,0,0,534,535,3,70,35,0,535,
        548,5,64,0,0,536,549,5,73,0,0,537,539,5,12,0,0,538,537,1,0,0,0,538,
        539,1,0,0,0,539,540,1,0,0,0,540,545,3,58,29,0,541,542,5,57,0,0,542,
        544,3,58,29,0,543,541,1,0,0,0,544,547,1,0,0,0,545,543,1,0,0,0,545,
        546,1,0,0,0,546,549,1,0,0,0,547,545,1,0,0,0,548,536,1,0,0,0,548,
        538,1,0,0,0,548,549,1,0,0,0,549,550,1,0,0,0,550,551,5,70,0,0,551,
        572,1,0,0,0,552,553,3,64,32,0,553,554,5,58,0,0,554,557,3,64,32,0,
        555,556,5,58,0,0,556,558,3,64,32,0,557,555,1,0,0,0,557,558,1,0,0,
        0,558,572,1,0,0,0,559,572,3,72,36,0,560,572,5,79,0,0,561,562,5,64,
        0,0,562,563,3,16,8,0,563,564,5,70,0,0,564,572,1,0,0,0,565,566,5,
        64,0,0,566,567,3,58,29,0,567,568,5,70,0,0,568,572,1,0,0,0,569,570,
        7,10,0,0,570,572,3,60,30,3,571,498,1,0,0,0,571,500,1,0,0,0,571,501,
        1,0,0,0,571,502,1,0,0,0,571,503,1,0,0,0,571,504,1,0,0,0,571,505,
        1,0,0,0,571,506,1,0,0,0,571,507,1,0,0,0,571,514,1,0,0,0,571,529,
        1,0,0,0,571,534,1,0,0,0,571,552,1,0,0,0,571,559,1,0,0,0,571,560,
        1,0,0,0,571,561,1,0,0,0,571,565,1,0,0,0,571,569,1,0,0,0,572,581,
        1,0,0,0,573,574,10,2,0,0,574,575,7,11,0,0,575,580,3,60,30,3,576,
        577,10,1,0,0,577,578,7,10,0,0,578,580,3,60,30,2,579,573,1,0,0,0,
        579,576,1,0,0,0,580,583,1,0,0,0,581,579,1,0,0,0,581,582,1,0,0,0,
        582,61,1,0,0,0,583,581,1,0,0,0,584,585,5,51,0,0,585,586,3,58,29,
        0,586,587,5,45,0,0,587,588,3,58,29,0,588,63,1,0,0,0,589,592,3,72,
        36,0,590,592,5,79,0,0,591,589,1,0,0,0,591,590,1,0,0,0,592,65,1,0,
        0,0,593,596,3,64,32,0,594,596,5,78,0,0,595,593,1,0,0,0,595,594,1,
        0,0,0,596,67,1,0,0,0,597,598,7,12,0,0,598,69,1,0,0,0,599,600,7,13,
        0,0,600,71,1,0,0,0,601,602,7,14,0,0,602,73,1,0,0,0,80,77,84,89,95,
        98,104,108,112,122,132,137,146,151,167,172,183,186,196,206,211,224,
        228,231,235,239,243,247,254,259,263,266,269,277,286,300,302,311,
        324,329,333,339,345,347,354,360,364,370,372,378,387,390,400,405,
        412,415,420,425,431,445,450,456,460,469,478,481,486,493,495,516,
        521,525,538,545,548,557,571,579,581,591,595
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
    public ON(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ON, 0);
    }
    public expression(): ExpressionContext | null {
        return this.getRuleContext(0, ExpressionContext);
    }
}
export class LeftJoinContext extends JoinContext {
    public constructor(ctx: JoinContext) {
        super(ctx.parent, ctx.invokingState);
        super.copyFrom(ctx);
    }
    public LEFT(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.LEFT, 0)!;
    }
    public JOIN(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.JOIN, 0)!;
    }
    public table(): TableContext {
        return this.getRuleContext(0, TableContext)!;
    }
    public OUTER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OUTER, 0);
    }
    public ON(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.ON, 0);
    }
    public expression(): ExpressionContext | null {
        return this.getRuleContext(0, ExpressionContext);
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
    public IS(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.IS, 0)!;
    }
    public NULL(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.NULL, 0)!;
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
    public FIRST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.FIRST, 0);
    }
    public LAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LAST, 0);
    }
    public REPLACE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.REPLACE, 0);
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
    public LAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LAST, 0);
    }
    public LEFT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LEFT, 0);
    }
    public REPLACE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.REPLACE, 0);
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
    public INSERT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INSERT, 0);
    }
    public INTO(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.INTO, 0);
    }
    public LAST(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LAST, 0);
    }
    public LEFT(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.LEFT, 0);
    }
    public NULLS(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.NULLS, 0);
    }
    public OFFSET(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OFFSET, 0);
    }
    public OUTER(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.OUTER, 0);
    }
    public REPLACE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.REPLACE, 0);
    }
    public SET(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.SET, 0);
    }
    public UPDATE(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.UPDATE, 0);
    }
    public VALUES(): antlr.TerminalNode | null {
        return this.getToken(GsSqlParser.VALUES, 0);
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_name;
    }
}
