// Types of the used parts of drivers that bring none along.
declare module 'mssql' {
  type Type = { readonly declaration: string }
  type Column = { readonly name: string; readonly type: Type | (() => Type); readonly scale?: number }
  export class ConnectionPool {
    constructor(config: object)
    connect(): Promise<this>
    close(): Promise<void>
    request(): Request
    on(event: 'error', listener: (error: Error) => void): this
  }
  export class Transaction {
    constructor(pool: ConnectionPool)
    begin(): Promise<this>
    rollback(): Promise<void>
    on(event: 'error', listener: (error: Error) => void): this
  }
  export class Request {
    constructor(parent: ConnectionPool | Transaction)
    stream: boolean
    arrayRowMode: boolean
    query(sql: string): Promise<{ readonly recordset: readonly Readonly<Record<string, unknown>>[] }>
    cancel(): boolean
    pause(): boolean
    resume(): boolean
    on(event: 'recordset', listener: (columns: readonly Column[]) => void): this
    on(event: 'row', listener: (row: readonly unknown[]) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'done', listener: () => void): this
  }
}

declare module 'oracledb' {
  type DbType = { readonly name?: string }
  export type MetaData = {
    readonly name: string
    readonly dbTypeName: string
    readonly dbType: DbType
    readonly scale?: number
    readonly precision?: number
    readonly byteSize?: number
  }
  export type ResultSet = {
    readonly metaData: readonly MetaData[]
    readonly getRows: (most: number) => Promise<readonly (readonly unknown[])[]>
    readonly close: () => Promise<void>
  }
  export type Connection = {
    readonly oracleServerVersionString: string
    callTimeout: number
    readonly getStatementInfo: (sql: string) => Promise<{ readonly statementType: number }>
    readonly execute: (
      sql: string,
      binds?: readonly unknown[],
      options?: object,
    ) => Promise<{ readonly resultSet?: ResultSet }>
    readonly break: () => Promise<void>
    readonly rollback: () => Promise<void>
    readonly close: (options?: { readonly drop: boolean }) => Promise<void>
  }
  const oracledb: {
    readonly getConnection: (options: object) => Promise<Connection>
    readonly STMT_TYPE_SELECT: number
    readonly OUT_FORMAT_ARRAY: number
    readonly STRING: DbType
    readonly BUFFER: DbType
  }
  export default oracledb
}
