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
    public static readonly RULE_derivation = 1;
    public static readonly RULE_statement = 2;
    public static readonly RULE_setVariable = 3;
    public static readonly RULE_insert = 4;
    public static readonly RULE_insertOption = 5;
    public static readonly RULE_update = 6;
    public static readonly RULE_assignment = 7;
    public static readonly RULE_delete = 8;
    public static readonly RULE_query = 9;
    public static readonly RULE_withClause = 10;
    public static readonly RULE_commonTable = 11;
    public static readonly RULE_queryBody = 12;
    public static readonly RULE_setOperator = 13;
    public static readonly RULE_selectTerm = 14;
    public static readonly RULE_select = 15;
    public static readonly RULE_values = 16;
    public static readonly RULE_valueRow = 17;
    public static readonly RULE_selectItem = 18;
    public static readonly RULE_groupBy = 19;
    public static readonly RULE_having = 20;
    public static readonly RULE_orderBy = 21;
    public static readonly RULE_orderTerm = 22;
    public static readonly RULE_limit = 23;
    public static readonly RULE_tables = 24;
    public static readonly RULE_join = 25;
    public static readonly RULE_joinCondition = 26;
    public static readonly RULE_table = 27;
    public static readonly RULE_tableSource = 28;
    public static readonly RULE_tableColumn = 29;
    public static readonly RULE_tableName = 30;
    public static readonly RULE_expression = 31;
    public static readonly RULE_value = 32;
    public static readonly RULE_whenClause = 33;
    public static readonly RULE_anyName = 34;
    public static readonly RULE_aliasName = 35;
    public static readonly RULE_bareName = 36;
    public static readonly RULE_functionName = 37;
    public static readonly RULE_name = 38;

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
        "script", "derivation", "statement", "setVariable", "insert", "insertOption", 
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
            this.state = 81;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 78) {
                {
                {
                this.state = 78;
                this.match(GsSqlParser.SEMICOLON);
                }
                }
                this.state = 83;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 102;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 10 || _la === 26 || ((((_la - 48)) & ~0x1F) === 0 && ((1 << (_la - 48)) & 2371) !== 0)) {
                {
                this.state = 84;
                this.statement();
                this.state = 93;
                this.errorHandler.sync(this);
                alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
                while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                    if (alternative === 1) {
                        {
                        {
                        this.state = 86;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        do {
                            {
                            {
                            this.state = 85;
                            this.match(GsSqlParser.SEMICOLON);
                            }
                            }
                            this.state = 88;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                        } while (_la === 78);
                        this.state = 90;
                        this.statement();
                        }
                        }
                    }
                    this.state = 95;
                    this.errorHandler.sync(this);
                    alternative = this.interpreter.adaptivePredict(this.tokenStream, 2, this.context);
                }
                this.state = 99;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 78) {
                    {
                    {
                    this.state = 96;
                    this.match(GsSqlParser.SEMICOLON);
                    }
                    }
                    this.state = 101;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                }
            }

            this.state = 104;
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
    public derivation(): DerivationContext {
        let localContext = new DerivationContext(this.context, this.state);
        this.enterRule(localContext, 2, GsSqlParser.RULE_derivation);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 106;
            this.expression(0);
            this.state = 107;
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
        this.enterRule(localContext, 4, GsSqlParser.RULE_statement);
        let _la: number;
        try {
            this.state = 119;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.SET:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 109;
                this.setVariable();
                }
                break;
            case GsSqlParser.INSERT:
            case GsSqlParser.SELECT:
            case GsSqlParser.VALUES:
            case GsSqlParser.WITH:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 111;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 59) {
                    {
                    this.state = 110;
                    this.withClause();
                    }
                }

                this.state = 115;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.INSERT:
                    {
                    this.state = 113;
                    this.insert();
                    }
                    break;
                case GsSqlParser.SELECT:
                case GsSqlParser.VALUES:
                    {
                    this.state = 114;
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
                this.state = 117;
                this.update();
                }
                break;
            case GsSqlParser.DELETE:
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 118;
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
        this.enterRule(localContext, 6, GsSqlParser.RULE_setVariable);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 121;
            this.match(GsSqlParser.SET);
            this.state = 122;
            this.match(GsSqlParser.VARIABLE);
            this.state = 123;
            _la = this.tokenStream.LA(1);
            if(!(_la === 66 || _la === 67)) {
            this.errorHandler.recoverInline(this);
            }
            else {
                this.errorHandler.reportMatch(this);
                this.consume();
            }
            this.state = 124;
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
        this.enterRule(localContext, 8, GsSqlParser.RULE_insert);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 126;
            this.match(GsSqlParser.INSERT);
            this.state = 129;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 43) {
                {
                this.state = 127;
                this.match(GsSqlParser.OR);
                this.state = 128;
                this.match(GsSqlParser.REPLACE);
                }
            }

            this.state = 131;
            this.match(GsSqlParser.INTO);
            this.state = 132;
            this.tableName();
            this.state = 144;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 71) {
                {
                this.state = 133;
                this.match(GsSqlParser.LPAREN);
                this.state = 134;
                this.anyName();
                this.state = 139;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 135;
                    this.match(GsSqlParser.COMMA);
                    this.state = 136;
                    this.anyName();
                    }
                    }
                    this.state = 141;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 142;
                this.match(GsSqlParser.RPAREN);
                }
            }

            this.state = 158;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 12, this.context) ) {
            case 1:
                {
                this.state = 146;
                this.match(GsSqlParser.WITH);
                this.state = 147;
                this.match(GsSqlParser.LPAREN);
                this.state = 148;
                this.insertOption();
                this.state = 153;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 149;
                    this.match(GsSqlParser.COMMA);
                    this.state = 150;
                    this.insertOption();
                    }
                    }
                    this.state = 155;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 156;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            }
            this.state = 160;
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
        this.enterRule(localContext, 10, GsSqlParser.RULE_insertOption);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 162;
            this.anyName();
            this.state = 163;
            this.match(GsSqlParser.EQ);
            this.state = 164;
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
        this.enterRule(localContext, 12, GsSqlParser.RULE_update);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 166;
            this.match(GsSqlParser.UPDATE);
            this.state = 167;
            this.tableName();
            this.state = 168;
            this.match(GsSqlParser.SET);
            this.state = 169;
            this.assignment();
            this.state = 174;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 170;
                this.match(GsSqlParser.COMMA);
                this.state = 171;
                this.assignment();
                }
                }
                this.state = 176;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 179;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 177;
                this.match(GsSqlParser.WHERE);
                this.state = 178;
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
        this.enterRule(localContext, 14, GsSqlParser.RULE_assignment);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 181;
            this.anyName();
            this.state = 182;
            this.match(GsSqlParser.EQ);
            this.state = 183;
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
        this.enterRule(localContext, 16, GsSqlParser.RULE_delete);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 185;
            this.match(GsSqlParser.DELETE);
            this.state = 186;
            this.match(GsSqlParser.FROM);
            this.state = 187;
            this.tableName();
            this.state = 190;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 188;
                this.match(GsSqlParser.WHERE);
                this.state = 189;
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
        this.enterRule(localContext, 18, GsSqlParser.RULE_query);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 193;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 59) {
                {
                this.state = 192;
                this.withClause();
                }
            }

            this.state = 195;
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
        this.enterRule(localContext, 20, GsSqlParser.RULE_withClause);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 197;
            this.match(GsSqlParser.WITH);
            this.state = 198;
            this.commonTable();
            this.state = 203;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 199;
                this.match(GsSqlParser.COMMA);
                this.state = 200;
                this.commonTable();
                }
                }
                this.state = 205;
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
        this.enterRule(localContext, 22, GsSqlParser.RULE_commonTable);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 206;
            this.anyName();
            this.state = 218;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 71) {
                {
                this.state = 207;
                this.match(GsSqlParser.LPAREN);
                this.state = 208;
                this.anyName();
                this.state = 213;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 209;
                    this.match(GsSqlParser.COMMA);
                    this.state = 210;
                    this.anyName();
                    }
                    }
                    this.state = 215;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 216;
                this.match(GsSqlParser.RPAREN);
                }
            }

            this.state = 220;
            this.match(GsSqlParser.AS);
            this.state = 221;
            this.match(GsSqlParser.LPAREN);
            this.state = 222;
            this.query();
            this.state = 223;
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
        this.enterRule(localContext, 24, GsSqlParser.RULE_queryBody);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 225;
            this.selectTerm();
            this.state = 231;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 16 || _la === 27 || _la === 53) {
                {
                {
                this.state = 226;
                this.setOperator();
                this.state = 227;
                this.selectTerm();
                }
                }
                this.state = 233;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 235;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 44) {
                {
                this.state = 234;
                this.orderBy();
                }
            }

            this.state = 238;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 35) {
                {
                this.state = 237;
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
        this.enterRule(localContext, 26, GsSqlParser.RULE_setOperator);
        let _la: number;
        try {
            this.state = 246;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.UNION:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 240;
                this.match(GsSqlParser.UNION);
                this.state = 242;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 1) {
                    {
                    this.state = 241;
                    this.match(GsSqlParser.ALL);
                    }
                }

                }
                break;
            case GsSqlParser.EXCEPT:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 244;
                this.match(GsSqlParser.EXCEPT);
                }
                break;
            case GsSqlParser.INTERSECT:
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 245;
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
        this.enterRule(localContext, 28, GsSqlParser.RULE_selectTerm);
        try {
            this.state = 250;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.SELECT:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 248;
                this.select();
                }
                break;
            case GsSqlParser.VALUES:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 249;
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
        this.enterRule(localContext, 30, GsSqlParser.RULE_select);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 252;
            this.match(GsSqlParser.SELECT);
            this.state = 254;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 1 || _la === 12) {
                {
                this.state = 253;
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

            this.state = 256;
            this.selectItem();
            this.state = 261;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 257;
                this.match(GsSqlParser.COMMA);
                this.state = 258;
                this.selectItem();
                }
                }
                this.state = 263;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 266;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 20) {
                {
                this.state = 264;
                this.match(GsSqlParser.FROM);
                this.state = 265;
                this.tables();
                }
            }

            this.state = 270;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 58) {
                {
                this.state = 268;
                this.match(GsSqlParser.WHERE);
                this.state = 269;
                this.expression(0);
                }
            }

            this.state = 273;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 22) {
                {
                this.state = 272;
                this.groupBy();
                }
            }

            this.state = 276;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 23) {
                {
                this.state = 275;
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
        this.enterRule(localContext, 32, GsSqlParser.RULE_values);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 278;
            this.match(GsSqlParser.VALUES);
            this.state = 279;
            this.valueRow();
            this.state = 284;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 280;
                this.match(GsSqlParser.COMMA);
                this.state = 281;
                this.valueRow();
                }
                }
                this.state = 286;
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
        this.enterRule(localContext, 34, GsSqlParser.RULE_valueRow);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 287;
            this.match(GsSqlParser.LPAREN);
            this.state = 288;
            this.expression(0);
            this.state = 293;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 289;
                this.match(GsSqlParser.COMMA);
                this.state = 290;
                this.expression(0);
                }
                }
                this.state = 295;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
            }
            this.state = 296;
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
        this.enterRule(localContext, 36, GsSqlParser.RULE_selectItem);
        try {
            this.state = 309;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 35, this.context) ) {
            case 1:
                localContext = new AllColumnsContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 298;
                this.match(GsSqlParser.STAR);
                }
                break;
            case 2:
                localContext = new TableColumnsContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 299;
                this.anyName();
                this.state = 300;
                this.match(GsSqlParser.DOT);
                this.state = 301;
                this.match(GsSqlParser.STAR);
                }
                break;
            case 3:
                localContext = new OneColumnContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 303;
                this.expression(0);
                this.state = 307;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.AS:
                    {
                    this.state = 304;
                    this.match(GsSqlParser.AS);
                    this.state = 305;
                    this.aliasName();
                    }
                    break;
                case GsSqlParser.STRING:
                case GsSqlParser.QUOTED:
                case GsSqlParser.DELIMITED:
                case GsSqlParser.IDENTIFIER:
                    {
                    this.state = 306;
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
        this.enterRule(localContext, 38, GsSqlParser.RULE_groupBy);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 311;
            this.match(GsSqlParser.GROUP);
            this.state = 312;
            this.match(GsSqlParser.BY);
            this.state = 313;
            this.expression(0);
            this.state = 318;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 314;
                this.match(GsSqlParser.COMMA);
                this.state = 315;
                this.expression(0);
                }
                }
                this.state = 320;
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
        this.enterRule(localContext, 40, GsSqlParser.RULE_having);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 321;
            this.match(GsSqlParser.HAVING);
            this.state = 322;
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
        this.enterRule(localContext, 42, GsSqlParser.RULE_orderBy);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 324;
            this.match(GsSqlParser.ORDER);
            this.state = 325;
            this.match(GsSqlParser.BY);
            this.state = 326;
            this.orderTerm();
            this.state = 331;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while (_la === 64) {
                {
                {
                this.state = 327;
                this.match(GsSqlParser.COMMA);
                this.state = 328;
                this.orderTerm();
                }
                }
                this.state = 333;
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
        this.enterRule(localContext, 44, GsSqlParser.RULE_orderTerm);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 334;
            this.expression(0);
            this.state = 336;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 4 || _la === 11) {
                {
                this.state = 335;
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

            this.state = 340;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 40) {
                {
                this.state = 338;
                this.match(GsSqlParser.NULLS);
                this.state = 339;
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
        this.enterRule(localContext, 46, GsSqlParser.RULE_limit);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 342;
            this.match(GsSqlParser.LIMIT);
            this.state = 343;
            this.expression(0);
            this.state = 346;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 41) {
                {
                this.state = 344;
                this.match(GsSqlParser.OFFSET);
                this.state = 345;
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
        this.enterRule(localContext, 48, GsSqlParser.RULE_tables);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 348;
            this.table();
            this.state = 354;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            while ((((_la) & ~0x1F) === 0 && ((1 << _la) & 2183135744) !== 0) || ((((_la - 33)) & ~0x1F) === 0 && ((1 << (_la - 33)) & 2147500041) !== 0)) {
                {
                this.state = 352;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.COMMA:
                    {
                    this.state = 349;
                    this.match(GsSqlParser.COMMA);
                    this.state = 350;
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
                    this.state = 351;
                    this.join();
                    }
                    break;
                default:
                    throw new antlr.NoViableAltException(this);
                }
                }
                this.state = 356;
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
        this.enterRule(localContext, 50, GsSqlParser.RULE_join);
        let _la: number;
        try {
            this.state = 388;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.CROSS:
                localContext = new CrossJoinContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 357;
                this.match(GsSqlParser.CROSS);
                this.state = 358;
                this.match(GsSqlParser.JOIN);
                this.state = 359;
                this.table();
                }
                break;
            case GsSqlParser.INNER:
            case GsSqlParser.JOIN:
                localContext = new InnerJoinContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 361;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 25) {
                    {
                    this.state = 360;
                    this.match(GsSqlParser.INNER);
                    }
                }

                this.state = 363;
                this.match(GsSqlParser.JOIN);
                this.state = 364;
                this.table();
                this.state = 366;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 42 || _la === 55) {
                    {
                    this.state = 365;
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
                this.state = 368;
                _la = this.tokenStream.LA(1);
                if(!(((((_la - 21)) & ~0x1F) === 0 && ((1 << (_la - 21)) & 67112961) !== 0))) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 370;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 45) {
                    {
                    this.state = 369;
                    this.match(GsSqlParser.OUTER);
                    }
                }

                this.state = 372;
                this.match(GsSqlParser.JOIN);
                this.state = 373;
                this.table();
                this.state = 375;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 42 || _la === 55) {
                    {
                    this.state = 374;
                    this.joinCondition();
                    }
                }

                }
                break;
            case GsSqlParser.NATURAL:
                localContext = new NaturalJoinContext(localContext);
                this.enterOuterAlt(localContext, 4);
                {
                this.state = 377;
                this.match(GsSqlParser.NATURAL);
                this.state = 384;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.INNER:
                    {
                    this.state = 378;
                    this.match(GsSqlParser.INNER);
                    }
                    break;
                case GsSqlParser.CROSS:
                    {
                    this.state = 379;
                    this.match(GsSqlParser.CROSS);
                    }
                    break;
                case GsSqlParser.FULL:
                case GsSqlParser.LEFT:
                case GsSqlParser.RIGHT:
                    {
                    this.state = 380;
                    _la = this.tokenStream.LA(1);
                    if(!(((((_la - 21)) & ~0x1F) === 0 && ((1 << (_la - 21)) & 67112961) !== 0))) {
                    this.errorHandler.recoverInline(this);
                    }
                    else {
                        this.errorHandler.reportMatch(this);
                        this.consume();
                    }
                    this.state = 382;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    if (_la === 45) {
                        {
                        this.state = 381;
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
                this.state = 386;
                this.match(GsSqlParser.JOIN);
                this.state = 387;
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
        this.enterRule(localContext, 52, GsSqlParser.RULE_joinCondition);
        let _la: number;
        try {
            this.state = 404;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.ON:
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 390;
                this.match(GsSqlParser.ON);
                this.state = 391;
                this.expression(0);
                }
                break;
            case GsSqlParser.USING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 392;
                this.match(GsSqlParser.USING);
                this.state = 393;
                this.match(GsSqlParser.LPAREN);
                this.state = 394;
                this.anyName();
                this.state = 399;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                while (_la === 64) {
                    {
                    {
                    this.state = 395;
                    this.match(GsSqlParser.COMMA);
                    this.state = 396;
                    this.anyName();
                    }
                    }
                    this.state = 401;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                }
                this.state = 402;
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
        this.enterRule(localContext, 54, GsSqlParser.RULE_table);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 406;
            this.tableSource();
            this.state = 410;
            this.errorHandler.sync(this);
            switch (this.tokenStream.LA(1)) {
            case GsSqlParser.AS:
                {
                this.state = 407;
                this.match(GsSqlParser.AS);
                this.state = 408;
                this.aliasName();
                }
                break;
            case GsSqlParser.STRING:
            case GsSqlParser.QUOTED:
            case GsSqlParser.DELIMITED:
            case GsSqlParser.IDENTIFIER:
                {
                this.state = 409;
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
        this.enterRule(localContext, 56, GsSqlParser.RULE_tableSource);
        let _la: number;
        try {
            this.state = 444;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 57, this.context) ) {
            case 1:
                localContext = new TableFunctionContext(localContext);
                this.enterOuterAlt(localContext, 1);
                {
                this.state = 412;
                this.anyName();
                this.state = 413;
                this.match(GsSqlParser.LPAREN);
                this.state = 422;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 1412353488) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 1373299699) !== 0) || ((((_la - 71)) & ~0x1F) === 0 && ((1 << (_la - 71)) & 515109) !== 0)) {
                    {
                    this.state = 414;
                    this.expression(0);
                    this.state = 419;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 64) {
                        {
                        {
                        this.state = 415;
                        this.match(GsSqlParser.COMMA);
                        this.state = 416;
                        this.expression(0);
                        }
                        }
                        this.state = 421;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    }
                }

                this.state = 424;
                this.match(GsSqlParser.RPAREN);
                this.state = 437;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 59) {
                    {
                    this.state = 425;
                    this.match(GsSqlParser.WITH);
                    this.state = 426;
                    this.match(GsSqlParser.LPAREN);
                    this.state = 427;
                    this.tableColumn();
                    this.state = 432;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 64) {
                        {
                        {
                        this.state = 428;
                        this.match(GsSqlParser.COMMA);
                        this.state = 429;
                        this.tableColumn();
                        }
                        }
                        this.state = 434;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                    }
                    this.state = 435;
                    this.match(GsSqlParser.RPAREN);
                    }
                }

                }
                break;
            case 2:
                localContext = new NamedTableContext(localContext);
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 439;
                this.tableName();
                }
                break;
            case 3:
                localContext = new QueryTableContext(localContext);
                this.enterOuterAlt(localContext, 3);
                {
                this.state = 440;
                this.match(GsSqlParser.LPAREN);
                this.state = 441;
                this.query();
                this.state = 442;
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
        this.enterRule(localContext, 58, GsSqlParser.RULE_tableColumn);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 447;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 81) {
                {
                this.state = 446;
                this.match(GsSqlParser.INTEGER);
                }
            }

            this.state = 449;
            this.anyName();
            this.state = 450;
            this.anyName();
            this.state = 452;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 85 || _la === 86) {
                {
                this.state = 451;
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
        this.enterRule(localContext, 60, GsSqlParser.RULE_tableName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 454;
            this.anyName();
            this.state = 457;
            this.errorHandler.sync(this);
            _la = this.tokenStream.LA(1);
            if (_la === 65) {
                {
                this.state = 455;
                this.match(GsSqlParser.DOT);
                this.state = 456;
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
        let _startState = 62;
        this.enterRecursionRule(localContext, 62, GsSqlParser.RULE_expression, _p);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 463;
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

                this.state = 460;
                this.value(0);
                }
                break;
            case GsSqlParser.NOT:
            case GsSqlParser.BANG:
                {
                localContext = new NotContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 461;
                _la = this.tokenStream.LA(1);
                if(!(_la === 37 || _la === 62)) {
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
            default:
                throw new antlr.NoViableAltException(this);
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 533;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 72, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 531;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 71, this.context) ) {
                    case 1:
                        {
                        localContext = new AndContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 465;
                        if (!(this.precpred(this.context, 2))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 2)");
                        }
                        this.state = 466;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 2 || _la === 61)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 467;
                        this.expression(3);
                        }
                        break;
                    case 2:
                        {
                        localContext = new OrContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 468;
                        if (!(this.precpred(this.context, 1))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 1)");
                        }
                        this.state = 469;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 43 || _la === 63)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 470;
                        this.expression(2);
                        }
                        break;
                    case 3:
                        {
                        localContext = new CompareContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 471;
                        if (!(this.precpred(this.context, 9))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 9)");
                        }
                        this.state = 472;
                        _la = this.tokenStream.LA(1);
                        if(!(((((_la - 66)) & ~0x1F) === 0 && ((1 << (_la - 66)) & 351) !== 0))) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 473;
                        this.value(0);
                        }
                        break;
                    case 4:
                        {
                        localContext = new IsNullContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 474;
                        if (!(this.precpred(this.context, 8))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 8)");
                        }
                        this.state = 484;
                        this.errorHandler.sync(this);
                        switch (this.tokenStream.LA(1)) {
                        case GsSqlParser.IS:
                            {
                            this.state = 475;
                            this.match(GsSqlParser.IS);
                            this.state = 477;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                            if (_la === 37) {
                                {
                                this.state = 476;
                                this.match(GsSqlParser.NOT);
                                }
                            }

                            this.state = 479;
                            this.match(GsSqlParser.NULL);
                            }
                            break;
                        case GsSqlParser.ISNULL:
                            {
                            this.state = 480;
                            this.match(GsSqlParser.ISNULL);
                            }
                            break;
                        case GsSqlParser.NOTNULL:
                            {
                            this.state = 481;
                            this.match(GsSqlParser.NOTNULL);
                            }
                            break;
                        case GsSqlParser.NOT:
                            {
                            this.state = 482;
                            this.match(GsSqlParser.NOT);
                            this.state = 483;
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
                        this.state = 486;
                        if (!(this.precpred(this.context, 7))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 7)");
                        }
                        this.state = 488;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 487;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 490;
                        this.match(GsSqlParser.LIKE);
                        this.state = 491;
                        this.value(0);
                        this.state = 494;
                        this.errorHandler.sync(this);
                        switch (this.interpreter.adaptivePredict(this.tokenStream, 65, this.context) ) {
                        case 1:
                            {
                            this.state = 492;
                            this.match(GsSqlParser.ESCAPE);
                            this.state = 493;
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
                        this.state = 496;
                        if (!(this.precpred(this.context, 6))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 6)");
                        }
                        this.state = 498;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 497;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 500;
                        this.match(GsSqlParser.IN);
                        this.state = 501;
                        this.match(GsSqlParser.LPAREN);
                        this.state = 502;
                        this.query();
                        this.state = 503;
                        this.match(GsSqlParser.RPAREN);
                        }
                        break;
                    case 7:
                        {
                        localContext = new InListContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 505;
                        if (!(this.precpred(this.context, 5))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 5)");
                        }
                        this.state = 507;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 506;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 509;
                        this.match(GsSqlParser.IN);
                        this.state = 510;
                        this.match(GsSqlParser.LPAREN);
                        this.state = 519;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 1412353488) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 1373299699) !== 0) || ((((_la - 71)) & ~0x1F) === 0 && ((1 << (_la - 71)) & 515109) !== 0)) {
                            {
                            this.state = 511;
                            this.expression(0);
                            this.state = 516;
                            this.errorHandler.sync(this);
                            _la = this.tokenStream.LA(1);
                            while (_la === 64) {
                                {
                                {
                                this.state = 512;
                                this.match(GsSqlParser.COMMA);
                                this.state = 513;
                                this.expression(0);
                                }
                                }
                                this.state = 518;
                                this.errorHandler.sync(this);
                                _la = this.tokenStream.LA(1);
                            }
                            }
                        }

                        this.state = 521;
                        this.match(GsSqlParser.RPAREN);
                        }
                        break;
                    case 8:
                        {
                        localContext = new BetweenContext(new ExpressionContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_expression);
                        this.state = 522;
                        if (!(this.precpred(this.context, 4))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 4)");
                        }
                        this.state = 524;
                        this.errorHandler.sync(this);
                        _la = this.tokenStream.LA(1);
                        if (_la === 37) {
                            {
                            this.state = 523;
                            this.match(GsSqlParser.NOT);
                            }
                        }

                        this.state = 526;
                        this.match(GsSqlParser.BETWEEN);
                        this.state = 527;
                        this.value(0);
                        this.state = 528;
                        this.match(GsSqlParser.AND);
                        this.state = 529;
                        this.value(0);
                        }
                        break;
                    }
                    }
                }
                this.state = 535;
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
        let _startState = 64;
        this.enterRecursionRule(localContext, 64, GsSqlParser.RULE_value, _p);
        let _la: number;
        try {
            let alternative: number;
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 609;
            this.errorHandler.sync(this);
            switch (this.interpreter.adaptivePredict(this.tokenStream, 80, this.context) ) {
            case 1:
                {
                localContext = new IntegerContext(localContext);
                this.context = localContext;
                previousContext = localContext;

                this.state = 537;
                this.match(GsSqlParser.INTEGER);
                }
                break;
            case 2:
                {
                localContext = new DecimalContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 538;
                this.match(GsSqlParser.DECIMAL);
                }
                break;
            case 3:
                {
                localContext = new DurationContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 539;
                this.match(GsSqlParser.DURATION);
                }
                break;
            case 4:
                {
                localContext = new TextContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 540;
                this.match(GsSqlParser.STRING);
                }
                break;
            case 5:
                {
                localContext = new TrueContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 541;
                this.match(GsSqlParser.TRUE);
                }
                break;
            case 6:
                {
                localContext = new FalseContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 542;
                this.match(GsSqlParser.FALSE);
                }
                break;
            case 7:
                {
                localContext = new NullContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 543;
                this.match(GsSqlParser.NULL);
                }
                break;
            case 8:
                {
                localContext = new VariableContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 544;
                this.match(GsSqlParser.VARIABLE);
                }
                break;
            case 9:
                {
                localContext = new CastContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 545;
                _la = this.tokenStream.LA(1);
                if(!(_la === 8 || _la === 52)) {
                this.errorHandler.recoverInline(this);
                }
                else {
                    this.errorHandler.reportMatch(this);
                    this.consume();
                }
                this.state = 546;
                this.match(GsSqlParser.LPAREN);
                this.state = 547;
                this.expression(0);
                this.state = 548;
                this.match(GsSqlParser.AS);
                this.state = 549;
                this.anyName();
                this.state = 550;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 10:
                {
                localContext = new CaseContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 552;
                this.match(GsSqlParser.CASE);
                this.state = 554;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if ((((_la) & ~0x1F) === 0 && ((1 << _la) & 1412353488) !== 0) || ((((_la - 32)) & ~0x1F) === 0 && ((1 << (_la - 32)) & 1373299699) !== 0) || ((((_la - 71)) & ~0x1F) === 0 && ((1 << (_la - 71)) & 515109) !== 0)) {
                    {
                    this.state = 553;
                    this.expression(0);
                    }
                }

                this.state = 557;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                do {
                    {
                    {
                    this.state = 556;
                    this.whenClause();
                    }
                    }
                    this.state = 559;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                } while (_la === 57);
                this.state = 563;
                this.errorHandler.sync(this);
                _la = this.tokenStream.LA(1);
                if (_la === 13) {
                    {
                    this.state = 561;
                    this.match(GsSqlParser.ELSE);
                    this.state = 562;
                    this.expression(0);
                    }
                }

                this.state = 565;
                this.match(GsSqlParser.END);
                }
                break;
            case 11:
                {
                localContext = new ExistsContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 567;
                this.match(GsSqlParser.EXISTS);
                this.state = 568;
                this.match(GsSqlParser.LPAREN);
                this.state = 569;
                this.query();
                this.state = 570;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 12:
                {
                localContext = new CallContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 572;
                this.functionName();
                this.state = 573;
                this.match(GsSqlParser.LPAREN);
                this.state = 586;
                this.errorHandler.sync(this);
                switch (this.tokenStream.LA(1)) {
                case GsSqlParser.STAR:
                    {
                    this.state = 574;
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
                    this.state = 576;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    if (_la === 12) {
                        {
                        this.state = 575;
                        this.match(GsSqlParser.DISTINCT);
                        }
                    }

                    this.state = 578;
                    this.expression(0);
                    this.state = 583;
                    this.errorHandler.sync(this);
                    _la = this.tokenStream.LA(1);
                    while (_la === 64) {
                        {
                        {
                        this.state = 579;
                        this.match(GsSqlParser.COMMA);
                        this.state = 580;
                        this.expression(0);
                        }
                        }
                        this.state = 585;
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
                this.state = 588;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 13:
                {
                localContext = new QualifiedColumnContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 590;
                this.anyName();
                this.state = 591;
                this.match(GsSqlParser.DOT);
                this.state = 592;
                this.anyName();
                this.state = 595;
                this.errorHandler.sync(this);
                switch (this.interpreter.adaptivePredict(this.tokenStream, 79, this.context) ) {
                case 1:
                    {
                    this.state = 593;
                    this.match(GsSqlParser.DOT);
                    this.state = 594;
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
                this.state = 597;
                this.name();
                }
                break;
            case 15:
                {
                localContext = new QuotedContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 598;
                this.match(GsSqlParser.QUOTED);
                }
                break;
            case 16:
                {
                localContext = new ScalarQueryContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 599;
                this.match(GsSqlParser.LPAREN);
                this.state = 600;
                this.query();
                this.state = 601;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 17:
                {
                localContext = new NestedContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 603;
                this.match(GsSqlParser.LPAREN);
                this.state = 604;
                this.expression(0);
                this.state = 605;
                this.match(GsSqlParser.RPAREN);
                }
                break;
            case 18:
                {
                localContext = new SignContext(localContext);
                this.context = localContext;
                previousContext = localContext;
                this.state = 607;
                _la = this.tokenStream.LA(1);
                if(!(_la === 73 || _la === 76)) {
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
            }
            this.context!.stop = this.tokenStream.LT(-1);
            this.state = 619;
            this.errorHandler.sync(this);
            alternative = this.interpreter.adaptivePredict(this.tokenStream, 82, this.context);
            while (alternative !== 2 && alternative !== antlr.ATN.INVALID_ALT_NUMBER) {
                if (alternative === 1) {
                    if (this.parseListeners != null) {
                        this.triggerExitRuleEvent();
                    }
                    previousContext = localContext;
                    {
                    this.state = 617;
                    this.errorHandler.sync(this);
                    switch (this.interpreter.adaptivePredict(this.tokenStream, 81, this.context) ) {
                    case 1:
                        {
                        localContext = new ProductContext(new ValueContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_value);
                        this.state = 611;
                        if (!(this.precpred(this.context, 2))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 2)");
                        }
                        this.state = 612;
                        _la = this.tokenStream.LA(1);
                        if(!(((((_la - 75)) & ~0x1F) === 0 && ((1 << (_la - 75)) & 49) !== 0))) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 613;
                        this.value(3);
                        }
                        break;
                    case 2:
                        {
                        localContext = new SumContext(new ValueContext(parentContext, parentState));
                        this.pushNewRecursionContext(localContext, _startState, GsSqlParser.RULE_value);
                        this.state = 614;
                        if (!(this.precpred(this.context, 1))) {
                            throw this.createFailedPredicateException("this.precpred(this.context, 1)");
                        }
                        this.state = 615;
                        _la = this.tokenStream.LA(1);
                        if(!(_la === 73 || _la === 76)) {
                        this.errorHandler.recoverInline(this);
                        }
                        else {
                            this.errorHandler.reportMatch(this);
                            this.consume();
                        }
                        this.state = 616;
                        this.value(2);
                        }
                        break;
                    }
                    }
                }
                this.state = 621;
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
        this.enterRule(localContext, 66, GsSqlParser.RULE_whenClause);
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 622;
            this.match(GsSqlParser.WHEN);
            this.state = 623;
            this.expression(0);
            this.state = 624;
            this.match(GsSqlParser.THEN);
            this.state = 625;
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
        this.enterRule(localContext, 68, GsSqlParser.RULE_anyName);
        try {
            this.state = 629;
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
                this.state = 627;
                this.name();
                }
                break;
            case GsSqlParser.QUOTED:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 628;
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
        this.enterRule(localContext, 70, GsSqlParser.RULE_aliasName);
        try {
            this.state = 633;
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
                this.state = 631;
                this.anyName();
                }
                break;
            case GsSqlParser.STRING:
                this.enterOuterAlt(localContext, 2);
                {
                this.state = 632;
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
        this.enterRule(localContext, 72, GsSqlParser.RULE_bareName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 635;
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
        this.enterRule(localContext, 74, GsSqlParser.RULE_functionName);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 637;
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
        this.enterRule(localContext, 76, GsSqlParser.RULE_name);
        let _la: number;
        try {
            this.enterOuterAlt(localContext, 1);
            {
            this.state = 639;
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
        case 31:
            return this.expression_sempred(localContext as ExpressionContext, predIndex);
        case 32:
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
        4,1,96,642,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,2,38,7,38,1,0,5,0,80,
        8,0,10,0,12,0,83,9,0,1,0,1,0,4,0,87,8,0,11,0,12,0,88,1,0,5,0,92,
        8,0,10,0,12,0,95,9,0,1,0,5,0,98,8,0,10,0,12,0,101,9,0,3,0,103,8,
        0,1,0,1,0,1,1,1,1,1,1,1,2,1,2,3,2,112,8,2,1,2,1,2,3,2,116,8,2,1,
        2,1,2,3,2,120,8,2,1,3,1,3,1,3,1,3,1,3,1,4,1,4,1,4,3,4,130,8,4,1,
        4,1,4,1,4,1,4,1,4,1,4,5,4,138,8,4,10,4,12,4,141,9,4,1,4,1,4,3,4,
        145,8,4,1,4,1,4,1,4,1,4,1,4,5,4,152,8,4,10,4,12,4,155,9,4,1,4,1,
        4,3,4,159,8,4,1,4,1,4,1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,1,6,5,
        6,173,8,6,10,6,12,6,176,9,6,1,6,1,6,3,6,180,8,6,1,7,1,7,1,7,1,7,
        1,8,1,8,1,8,1,8,1,8,3,8,191,8,8,1,9,3,9,194,8,9,1,9,1,9,1,10,1,10,
        1,10,1,10,5,10,202,8,10,10,10,12,10,205,9,10,1,11,1,11,1,11,1,11,
        1,11,5,11,212,8,11,10,11,12,11,215,9,11,1,11,1,11,3,11,219,8,11,
        1,11,1,11,1,11,1,11,1,11,1,12,1,12,1,12,1,12,5,12,230,8,12,10,12,
        12,12,233,9,12,1,12,3,12,236,8,12,1,12,3,12,239,8,12,1,13,1,13,3,
        13,243,8,13,1,13,1,13,3,13,247,8,13,1,14,1,14,3,14,251,8,14,1,15,
        1,15,3,15,255,8,15,1,15,1,15,1,15,5,15,260,8,15,10,15,12,15,263,
        9,15,1,15,1,15,3,15,267,8,15,1,15,1,15,3,15,271,8,15,1,15,3,15,274,
        8,15,1,15,3,15,277,8,15,1,16,1,16,1,16,1,16,5,16,283,8,16,10,16,
        12,16,286,9,16,1,17,1,17,1,17,1,17,5,17,292,8,17,10,17,12,17,295,
        9,17,1,17,1,17,1,18,1,18,1,18,1,18,1,18,1,18,1,18,1,18,1,18,3,18,
        308,8,18,3,18,310,8,18,1,19,1,19,1,19,1,19,1,19,5,19,317,8,19,10,
        19,12,19,320,9,19,1,20,1,20,1,20,1,21,1,21,1,21,1,21,1,21,5,21,330,
        8,21,10,21,12,21,333,9,21,1,22,1,22,3,22,337,8,22,1,22,1,22,3,22,
        341,8,22,1,23,1,23,1,23,1,23,3,23,347,8,23,1,24,1,24,1,24,1,24,5,
        24,353,8,24,10,24,12,24,356,9,24,1,25,1,25,1,25,1,25,3,25,362,8,
        25,1,25,1,25,1,25,3,25,367,8,25,1,25,1,25,3,25,371,8,25,1,25,1,25,
        1,25,3,25,376,8,25,1,25,1,25,1,25,1,25,1,25,3,25,383,8,25,3,25,385,
        8,25,1,25,1,25,3,25,389,8,25,1,26,1,26,1,26,1,26,1,26,1,26,1,26,
        5,26,398,8,26,10,26,12,26,401,9,26,1,26,1,26,3,26,405,8,26,1,27,
        1,27,1,27,1,27,3,27,411,8,27,1,28,1,28,1,28,1,28,1,28,5,28,418,8,
        28,10,28,12,28,421,9,28,3,28,423,8,28,1,28,1,28,1,28,1,28,1,28,1,
        28,5,28,431,8,28,10,28,12,28,434,9,28,1,28,1,28,3,28,438,8,28,1,
        28,1,28,1,28,1,28,1,28,3,28,445,8,28,1,29,3,29,448,8,29,1,29,1,29,
        1,29,3,29,453,8,29,1,30,1,30,1,30,3,30,458,8,30,1,31,1,31,1,31,1,
        31,3,31,464,8,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,1,
        31,1,31,1,31,3,31,478,8,31,1,31,1,31,1,31,1,31,1,31,3,31,485,8,31,
        1,31,1,31,3,31,489,8,31,1,31,1,31,1,31,1,31,3,31,495,8,31,1,31,1,
        31,3,31,499,8,31,1,31,1,31,1,31,1,31,1,31,1,31,1,31,3,31,508,8,31,
        1,31,1,31,1,31,1,31,1,31,5,31,515,8,31,10,31,12,31,518,9,31,3,31,
        520,8,31,1,31,1,31,1,31,3,31,525,8,31,1,31,1,31,1,31,1,31,1,31,5,
        31,532,8,31,10,31,12,31,535,9,31,1,32,1,32,1,32,1,32,1,32,1,32,1,
        32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,3,32,555,
        8,32,1,32,4,32,558,8,32,11,32,12,32,559,1,32,1,32,3,32,564,8,32,
        1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,3,32,577,
        8,32,1,32,1,32,1,32,5,32,582,8,32,10,32,12,32,585,9,32,3,32,587,
        8,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,3,32,596,8,32,1,32,1,32,
        1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,1,32,3,32,610,8,32,
        1,32,1,32,1,32,1,32,1,32,1,32,5,32,618,8,32,10,32,12,32,621,9,32,
        1,33,1,33,1,33,1,33,1,33,1,34,1,34,3,34,630,8,34,1,35,1,35,3,35,
        634,8,35,1,36,1,36,1,37,1,37,1,38,1,38,1,38,0,2,62,64,39,0,2,4,6,
        8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,
        52,54,56,58,60,62,64,66,68,70,72,74,76,0,16,1,0,66,67,2,0,1,1,12,
        12,2,0,4,4,11,11,2,0,19,19,32,32,3,0,21,21,33,33,47,47,1,0,85,86,
        2,0,37,37,62,62,2,0,2,2,61,61,2,0,43,43,63,63,3,0,66,70,72,72,74,
        74,2,0,8,8,52,52,2,0,73,73,76,76,2,0,75,75,79,80,2,0,85,87,89,89,
        6,0,19,19,30,30,32,33,38,38,46,47,89,89,19,0,4,4,6,6,10,11,14,15,
        19,19,21,21,26,26,28,28,30,30,32,33,36,36,38,38,40,41,45,47,49,49,
        54,56,60,60,87,87,89,89,723,0,81,1,0,0,0,2,106,1,0,0,0,4,119,1,0,
        0,0,6,121,1,0,0,0,8,126,1,0,0,0,10,162,1,0,0,0,12,166,1,0,0,0,14,
        181,1,0,0,0,16,185,1,0,0,0,18,193,1,0,0,0,20,197,1,0,0,0,22,206,
        1,0,0,0,24,225,1,0,0,0,26,246,1,0,0,0,28,250,1,0,0,0,30,252,1,0,
        0,0,32,278,1,0,0,0,34,287,1,0,0,0,36,309,1,0,0,0,38,311,1,0,0,0,
        40,321,1,0,0,0,42,324,1,0,0,0,44,334,1,0,0,0,46,342,1,0,0,0,48,348,
        1,0,0,0,50,388,1,0,0,0,52,404,1,0,0,0,54,406,1,0,0,0,56,444,1,0,
        0,0,58,447,1,0,0,0,60,454,1,0,0,0,62,463,1,0,0,0,64,609,1,0,0,0,
        66,622,1,0,0,0,68,629,1,0,0,0,70,633,1,0,0,0,72,635,1,0,0,0,74,637,
        1,0,0,0,76,639,1,0,0,0,78,80,5,78,0,0,79,78,1,0,0,0,80,83,1,0,0,
        0,81,79,1,0,0,0,81,82,1,0,0,0,82,102,1,0,0,0,83,81,1,0,0,0,84,93,
        3,4,2,0,85,87,5,78,0,0,86,85,1,0,0,0,87,88,1,0,0,0,88,86,1,0,0,0,
        88,89,1,0,0,0,89,90,1,0,0,0,90,92,3,4,2,0,91,86,1,0,0,0,92,95,1,
        0,0,0,93,91,1,0,0,0,93,94,1,0,0,0,94,99,1,0,0,0,95,93,1,0,0,0,96,
        98,5,78,0,0,97,96,1,0,0,0,98,101,1,0,0,0,99,97,1,0,0,0,99,100,1,
        0,0,0,100,103,1,0,0,0,101,99,1,0,0,0,102,84,1,0,0,0,102,103,1,0,
        0,0,103,104,1,0,0,0,104,105,5,0,0,1,105,1,1,0,0,0,106,107,3,62,31,
        0,107,108,5,0,0,1,108,3,1,0,0,0,109,120,3,6,3,0,110,112,3,20,10,
        0,111,110,1,0,0,0,111,112,1,0,0,0,112,115,1,0,0,0,113,116,3,8,4,
        0,114,116,3,24,12,0,115,113,1,0,0,0,115,114,1,0,0,0,116,120,1,0,
        0,0,117,120,3,12,6,0,118,120,3,16,8,0,119,109,1,0,0,0,119,111,1,
        0,0,0,119,117,1,0,0,0,119,118,1,0,0,0,120,5,1,0,0,0,121,122,5,49,
        0,0,122,123,5,88,0,0,123,124,7,0,0,0,124,125,3,62,31,0,125,7,1,0,
        0,0,126,129,5,26,0,0,127,128,5,43,0,0,128,130,5,46,0,0,129,127,1,
        0,0,0,129,130,1,0,0,0,130,131,1,0,0,0,131,132,5,28,0,0,132,144,3,
        60,30,0,133,134,5,71,0,0,134,139,3,68,34,0,135,136,5,64,0,0,136,
        138,3,68,34,0,137,135,1,0,0,0,138,141,1,0,0,0,139,137,1,0,0,0,139,
        140,1,0,0,0,140,142,1,0,0,0,141,139,1,0,0,0,142,143,5,77,0,0,143,
        145,1,0,0,0,144,133,1,0,0,0,144,145,1,0,0,0,145,158,1,0,0,0,146,
        147,5,59,0,0,147,148,5,71,0,0,148,153,3,10,5,0,149,150,5,64,0,0,
        150,152,3,10,5,0,151,149,1,0,0,0,152,155,1,0,0,0,153,151,1,0,0,0,
        153,154,1,0,0,0,154,156,1,0,0,0,155,153,1,0,0,0,156,157,5,77,0,0,
        157,159,1,0,0,0,158,146,1,0,0,0,158,159,1,0,0,0,159,160,1,0,0,0,
        160,161,3,18,9,0,161,9,1,0,0,0,162,163,3,68,34,0,163,164,5,66,0,
        0,164,165,3,62,31,0,165,11,1,0,0,0,166,167,5,54,0,0,167,168,3,60,
        30,0,168,169,5,49,0,0,169,174,3,14,7,0,170,171,5,64,0,0,171,173,
        3,14,7,0,172,170,1,0,0,0,173,176,1,0,0,0,174,172,1,0,0,0,174,175,
        1,0,0,0,175,179,1,0,0,0,176,174,1,0,0,0,177,178,5,58,0,0,178,180,
        3,62,31,0,179,177,1,0,0,0,179,180,1,0,0,0,180,13,1,0,0,0,181,182,
        3,68,34,0,182,183,5,66,0,0,183,184,3,62,31,0,184,15,1,0,0,0,185,
        186,5,10,0,0,186,187,5,20,0,0,187,190,3,60,30,0,188,189,5,58,0,0,
        189,191,3,62,31,0,190,188,1,0,0,0,190,191,1,0,0,0,191,17,1,0,0,0,
        192,194,3,20,10,0,193,192,1,0,0,0,193,194,1,0,0,0,194,195,1,0,0,
        0,195,196,3,24,12,0,196,19,1,0,0,0,197,198,5,59,0,0,198,203,3,22,
        11,0,199,200,5,64,0,0,200,202,3,22,11,0,201,199,1,0,0,0,202,205,
        1,0,0,0,203,201,1,0,0,0,203,204,1,0,0,0,204,21,1,0,0,0,205,203,1,
        0,0,0,206,218,3,68,34,0,207,208,5,71,0,0,208,213,3,68,34,0,209,210,
        5,64,0,0,210,212,3,68,34,0,211,209,1,0,0,0,212,215,1,0,0,0,213,211,
        1,0,0,0,213,214,1,0,0,0,214,216,1,0,0,0,215,213,1,0,0,0,216,217,
        5,77,0,0,217,219,1,0,0,0,218,207,1,0,0,0,218,219,1,0,0,0,219,220,
        1,0,0,0,220,221,5,3,0,0,221,222,5,71,0,0,222,223,3,18,9,0,223,224,
        5,77,0,0,224,23,1,0,0,0,225,231,3,28,14,0,226,227,3,26,13,0,227,
        228,3,28,14,0,228,230,1,0,0,0,229,226,1,0,0,0,230,233,1,0,0,0,231,
        229,1,0,0,0,231,232,1,0,0,0,232,235,1,0,0,0,233,231,1,0,0,0,234,
        236,3,42,21,0,235,234,1,0,0,0,235,236,1,0,0,0,236,238,1,0,0,0,237,
        239,3,46,23,0,238,237,1,0,0,0,238,239,1,0,0,0,239,25,1,0,0,0,240,
        242,5,53,0,0,241,243,5,1,0,0,242,241,1,0,0,0,242,243,1,0,0,0,243,
        247,1,0,0,0,244,247,5,16,0,0,245,247,5,27,0,0,246,240,1,0,0,0,246,
        244,1,0,0,0,246,245,1,0,0,0,247,27,1,0,0,0,248,251,3,30,15,0,249,
        251,3,32,16,0,250,248,1,0,0,0,250,249,1,0,0,0,251,29,1,0,0,0,252,
        254,5,48,0,0,253,255,7,1,0,0,254,253,1,0,0,0,254,255,1,0,0,0,255,
        256,1,0,0,0,256,261,3,36,18,0,257,258,5,64,0,0,258,260,3,36,18,0,
        259,257,1,0,0,0,260,263,1,0,0,0,261,259,1,0,0,0,261,262,1,0,0,0,
        262,266,1,0,0,0,263,261,1,0,0,0,264,265,5,20,0,0,265,267,3,48,24,
        0,266,264,1,0,0,0,266,267,1,0,0,0,267,270,1,0,0,0,268,269,5,58,0,
        0,269,271,3,62,31,0,270,268,1,0,0,0,270,271,1,0,0,0,271,273,1,0,
        0,0,272,274,3,38,19,0,273,272,1,0,0,0,273,274,1,0,0,0,274,276,1,
        0,0,0,275,277,3,40,20,0,276,275,1,0,0,0,276,277,1,0,0,0,277,31,1,
        0,0,0,278,279,5,56,0,0,279,284,3,34,17,0,280,281,5,64,0,0,281,283,
        3,34,17,0,282,280,1,0,0,0,283,286,1,0,0,0,284,282,1,0,0,0,284,285,
        1,0,0,0,285,33,1,0,0,0,286,284,1,0,0,0,287,288,5,71,0,0,288,293,
        3,62,31,0,289,290,5,64,0,0,290,292,3,62,31,0,291,289,1,0,0,0,292,
        295,1,0,0,0,293,291,1,0,0,0,293,294,1,0,0,0,294,296,1,0,0,0,295,
        293,1,0,0,0,296,297,5,77,0,0,297,35,1,0,0,0,298,310,5,80,0,0,299,
        300,3,68,34,0,300,301,5,65,0,0,301,302,5,80,0,0,302,310,1,0,0,0,
        303,307,3,62,31,0,304,305,5,3,0,0,305,308,3,70,35,0,306,308,3,72,
        36,0,307,304,1,0,0,0,307,306,1,0,0,0,307,308,1,0,0,0,308,310,1,0,
        0,0,309,298,1,0,0,0,309,299,1,0,0,0,309,303,1,0,0,0,310,37,1,0,0,
        0,311,312,5,22,0,0,312,313,5,6,0,0,313,318,3,62,31,0,314,315,5,64,
        0,0,315,317,3,62,31,0,316,314,1,0,0,0,317,320,1,0,0,0,318,316,1,
        0,0,0,318,319,1,0,0,0,319,39,1,0,0,0,320,318,1,0,0,0,321,322,5,23,
        0,0,322,323,3,62,31,0,323,41,1,0,0,0,324,325,5,44,0,0,325,326,5,
        6,0,0,326,331,3,44,22,0,327,328,5,64,0,0,328,330,3,44,22,0,329,327,
        1,0,0,0,330,333,1,0,0,0,331,329,1,0,0,0,331,332,1,0,0,0,332,43,1,
        0,0,0,333,331,1,0,0,0,334,336,3,62,31,0,335,337,7,2,0,0,336,335,
        1,0,0,0,336,337,1,0,0,0,337,340,1,0,0,0,338,339,5,40,0,0,339,341,
        7,3,0,0,340,338,1,0,0,0,340,341,1,0,0,0,341,45,1,0,0,0,342,343,5,
        35,0,0,343,346,3,62,31,0,344,345,5,41,0,0,345,347,3,62,31,0,346,
        344,1,0,0,0,346,347,1,0,0,0,347,47,1,0,0,0,348,354,3,54,27,0,349,
        350,5,64,0,0,350,353,3,54,27,0,351,353,3,50,25,0,352,349,1,0,0,0,
        352,351,1,0,0,0,353,356,1,0,0,0,354,352,1,0,0,0,354,355,1,0,0,0,
        355,49,1,0,0,0,356,354,1,0,0,0,357,358,5,9,0,0,358,359,5,31,0,0,
        359,389,3,54,27,0,360,362,5,25,0,0,361,360,1,0,0,0,361,362,1,0,0,
        0,362,363,1,0,0,0,363,364,5,31,0,0,364,366,3,54,27,0,365,367,3,52,
        26,0,366,365,1,0,0,0,366,367,1,0,0,0,367,389,1,0,0,0,368,370,7,4,
        0,0,369,371,5,45,0,0,370,369,1,0,0,0,370,371,1,0,0,0,371,372,1,0,
        0,0,372,373,5,31,0,0,373,375,3,54,27,0,374,376,3,52,26,0,375,374,
        1,0,0,0,375,376,1,0,0,0,376,389,1,0,0,0,377,384,5,36,0,0,378,385,
        5,25,0,0,379,385,5,9,0,0,380,382,7,4,0,0,381,383,5,45,0,0,382,381,
        1,0,0,0,382,383,1,0,0,0,383,385,1,0,0,0,384,378,1,0,0,0,384,379,
        1,0,0,0,384,380,1,0,0,0,384,385,1,0,0,0,385,386,1,0,0,0,386,387,
        5,31,0,0,387,389,3,54,27,0,388,357,1,0,0,0,388,361,1,0,0,0,388,368,
        1,0,0,0,388,377,1,0,0,0,389,51,1,0,0,0,390,391,5,42,0,0,391,405,
        3,62,31,0,392,393,5,55,0,0,393,394,5,71,0,0,394,399,3,68,34,0,395,
        396,5,64,0,0,396,398,3,68,34,0,397,395,1,0,0,0,398,401,1,0,0,0,399,
        397,1,0,0,0,399,400,1,0,0,0,400,402,1,0,0,0,401,399,1,0,0,0,402,
        403,5,77,0,0,403,405,1,0,0,0,404,390,1,0,0,0,404,392,1,0,0,0,405,
        53,1,0,0,0,406,410,3,56,28,0,407,408,5,3,0,0,408,411,3,70,35,0,409,
        411,3,72,36,0,410,407,1,0,0,0,410,409,1,0,0,0,410,411,1,0,0,0,411,
        55,1,0,0,0,412,413,3,68,34,0,413,422,5,71,0,0,414,419,3,62,31,0,
        415,416,5,64,0,0,416,418,3,62,31,0,417,415,1,0,0,0,418,421,1,0,0,
        0,419,417,1,0,0,0,419,420,1,0,0,0,420,423,1,0,0,0,421,419,1,0,0,
        0,422,414,1,0,0,0,422,423,1,0,0,0,423,424,1,0,0,0,424,437,5,77,0,
        0,425,426,5,59,0,0,426,427,5,71,0,0,427,432,3,58,29,0,428,429,5,
        64,0,0,429,431,3,58,29,0,430,428,1,0,0,0,431,434,1,0,0,0,432,430,
        1,0,0,0,432,433,1,0,0,0,433,435,1,0,0,0,434,432,1,0,0,0,435,436,
        5,77,0,0,436,438,1,0,0,0,437,425,1,0,0,0,437,438,1,0,0,0,438,445,
        1,0,0,0,439,445,3,60,30,0,440,441,5,71,0,0,441,442,3,18,9,0,442,
        443,5,77,0,0,443,445,1,0,0,0,444,412,1,0,0,0,444,439,1,0,0,0,444,
        440,1,0,0,0,445,57,1,0,0,0,446,448,5,81,0,0,447,446,1,0,0,0,447,
        448,1,0,0,0,448,449,1,0,0,0,449,450,3,68,34,0,450,452,3,68,34,0,
        451,453,7,5,0,0,452,451,1,0,0,0,452,453,1,0,0,0,453,59,1,0,0,0,454,
        457,3,68,34,0,455,456,5,65,0,0,456,458,3,68,34,0,457,455,1,0,0,0,
        457,458,1,0,0,0,458,61,1,0,0,0,459,460,6,31,-1,0,460,464,3,64,32,
        0,461,462,7,6,0,0,462,464,3,62,31,3,463,459,1,0,0,0,463,461,1,0,
        0,0,464,533,1,0,0,0,465,466,10,2,0,0,466,467,7,7,0,0,467,532,3,62,
        31,3,468,469,10,1,0,0,469,470,7,8,0,0,470,532,3,62,31,2,471,472,
        10,9,0,0,472,473,7,9,0,0,473,532,3,64,32,0,474,484,10,8,0,0,475,
        477,5,29,0,0,476,478,5,37,0,0,477,476,1,0,0,0,477,478,1,0,0,0,478,
        479,1,0,0,0,479,485,5,39,0,0,480,485,5,30,0,0,481,485,5,38,0,0,482,
        483,5,37,0,0,483,485,5,39,0,0,484,475,1,0,0,0,484,480,1,0,0,0,484,
        481,1,0,0,0,484,482,1,0,0,0,485,532,1,0,0,0,486,488,10,7,0,0,487,
        489,5,37,0,0,488,487,1,0,0,0,488,489,1,0,0,0,489,490,1,0,0,0,490,
        491,5,34,0,0,491,494,3,64,32,0,492,493,5,15,0,0,493,495,3,64,32,
        0,494,492,1,0,0,0,494,495,1,0,0,0,495,532,1,0,0,0,496,498,10,6,0,
        0,497,499,5,37,0,0,498,497,1,0,0,0,498,499,1,0,0,0,499,500,1,0,0,
        0,500,501,5,24,0,0,501,502,5,71,0,0,502,503,3,18,9,0,503,504,5,77,
        0,0,504,532,1,0,0,0,505,507,10,5,0,0,506,508,5,37,0,0,507,506,1,
        0,0,0,507,508,1,0,0,0,508,509,1,0,0,0,509,510,5,24,0,0,510,519,5,
        71,0,0,511,516,3,62,31,0,512,513,5,64,0,0,513,515,3,62,31,0,514,
        512,1,0,0,0,515,518,1,0,0,0,516,514,1,0,0,0,516,517,1,0,0,0,517,
        520,1,0,0,0,518,516,1,0,0,0,519,511,1,0,0,0,519,520,1,0,0,0,520,
        521,1,0,0,0,521,532,5,77,0,0,522,524,10,4,0,0,523,525,5,37,0,0,524,
        523,1,0,0,0,524,525,1,0,0,0,525,526,1,0,0,0,526,527,5,5,0,0,527,
        528,3,64,32,0,528,529,5,2,0,0,529,530,3,64,32,0,530,532,1,0,0,0,
        531,465,1,0,0,0,531,468,1,0,0,0,531,471,1,0,0,0,531,474,1,0,0,0,
        531,486,1,0,0,0,531,496,1,0,0,0,531,505,1,0,0,0,531,522,1,0,0,0,
        532,535,1,0,0,0,533,531,1,0,0,0,533,534,1,0,0,0,534,63,1,0,0,0,535,
        533,1,0,0,0,536,537,6,32,-1,0,537,610,5,81,0,0,538,610,5,82,0,0,
        539,610,5,83,0,0,540,610,5,85,0,0,541,610,5,51,0,0,542,610,5,18,
        0,0,543,610,5,39,0,0,544,610,5,88,0,0,545,546,7,10,0,0,546,547,5,
        71,0,0,547,548,3,62,31,0,548,549,5,3,0,0,549,550,3,68,34,0,550,551,
        5,77,0,0,551,610,1,0,0,0,552,554,5,7,0,0,553,555,3,62,31,0,554,553,
        1,0,0,0,554,555,1,0,0,0,555,557,1,0,0,0,556,558,3,66,33,0,557,556,
        1,0,0,0,558,559,1,0,0,0,559,557,1,0,0,0,559,560,1,0,0,0,560,563,
        1,0,0,0,561,562,5,13,0,0,562,564,3,62,31,0,563,561,1,0,0,0,563,564,
        1,0,0,0,564,565,1,0,0,0,565,566,5,14,0,0,566,610,1,0,0,0,567,568,
        5,17,0,0,568,569,5,71,0,0,569,570,3,18,9,0,570,571,5,77,0,0,571,
        610,1,0,0,0,572,573,3,74,37,0,573,586,5,71,0,0,574,587,5,80,0,0,
        575,577,5,12,0,0,576,575,1,0,0,0,576,577,1,0,0,0,577,578,1,0,0,0,
        578,583,3,62,31,0,579,580,5,64,0,0,580,582,3,62,31,0,581,579,1,0,
        0,0,582,585,1,0,0,0,583,581,1,0,0,0,583,584,1,0,0,0,584,587,1,0,
        0,0,585,583,1,0,0,0,586,574,1,0,0,0,586,576,1,0,0,0,586,587,1,0,
        0,0,587,588,1,0,0,0,588,589,5,77,0,0,589,610,1,0,0,0,590,591,3,68,
        34,0,591,592,5,65,0,0,592,595,3,68,34,0,593,594,5,65,0,0,594,596,
        3,68,34,0,595,593,1,0,0,0,595,596,1,0,0,0,596,610,1,0,0,0,597,610,
        3,76,38,0,598,610,5,86,0,0,599,600,5,71,0,0,600,601,3,18,9,0,601,
        602,5,77,0,0,602,610,1,0,0,0,603,604,5,71,0,0,604,605,3,62,31,0,
        605,606,5,77,0,0,606,610,1,0,0,0,607,608,7,11,0,0,608,610,3,64,32,
        3,609,536,1,0,0,0,609,538,1,0,0,0,609,539,1,0,0,0,609,540,1,0,0,
        0,609,541,1,0,0,0,609,542,1,0,0,0,609,543,1,0,0,0,609,544,1,0,0,
        0,609,545,1,0,0,0,609,552,1,0,0,0,609,567,1,0,0,0,609,572,1,0,0,
        0,609,590,1,0,0,0,609,597,1,0,0,0,609,598,1,0,0,0,609,599,1,0,0,
        0,609,603,1,0,0,0,609,607,1,0,0,0,610,619,1,0,0,0,611,612,10,2,0,
        0,612,613,7,12,0,0,613,618,3,64,32,3,614,615,10,1,0,0,615,616,7,
        11,0,0,616,618,3,64,32,2,617,611,1,0,0,0,617,614,1,0,0,0,618,621,
        1,0,0,0,619,617,1,0,0,0,619,620,1,0,0,0,620,65,1,0,0,0,621,619,1,
        0,0,0,622,623,5,57,0,0,623,624,3,62,31,0,624,625,5,50,0,0,625,626,
        3,62,31,0,626,67,1,0,0,0,627,630,3,76,38,0,628,630,5,86,0,0,629,
        627,1,0,0,0,629,628,1,0,0,0,630,69,1,0,0,0,631,634,3,68,34,0,632,
        634,5,85,0,0,633,631,1,0,0,0,633,632,1,0,0,0,634,71,1,0,0,0,635,
        636,7,13,0,0,636,73,1,0,0,0,637,638,7,14,0,0,638,75,1,0,0,0,639,
        640,7,15,0,0,640,77,1,0,0,0,85,81,88,93,99,102,111,115,119,129,139,
        144,153,158,174,179,190,193,203,213,218,231,235,238,242,246,250,
        254,261,266,270,273,276,284,293,307,309,318,331,336,340,346,352,
        354,361,366,370,375,382,384,388,399,404,410,419,422,432,437,444,
        447,452,457,463,477,484,488,494,498,507,516,519,524,531,533,554,
        559,563,576,583,586,595,609,617,619,629,633
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


export class DerivationContext extends antlr.ParserRuleContext {
    public constructor(parent: antlr.ParserRuleContext | null, invokingState: number) {
        super(parent, invokingState);
    }
    public expression(): ExpressionContext {
        return this.getRuleContext(0, ExpressionContext)!;
    }
    public EOF(): antlr.TerminalNode {
        return this.getToken(GsSqlParser.EOF, 0)!;
    }
    public override get ruleIndex(): number {
        return GsSqlParser.RULE_derivation;
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
