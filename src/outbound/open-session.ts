// How a session of each kind is opened. A kind's driver is loaded when it is used; those of SQL Server and Oracle are
// optional, and one that is missing says how to install it.
import { ExternalError } from './external-error.ts'
import type { OpenSession } from './session.ts'
import { kindNames } from './target.ts'
import type { Kind } from './target.ts'

export const loadKind = async (kind: Kind): Promise<OpenSession> => {
  try {
    switch (kind) {
      case 'postgresql':
        return (await import('./postgresql.ts')).openPostgresql
      case 'mysql':
        return (await import('./mysql.ts')).openMysql
      case 'sqlserver':
        return (await import('./sqlserver.ts')).openSqlserver
      case 'oracle':
        return (await import('./oracle.ts')).openOracle
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw driverMissing(kind, error)
  }
}

const packages: Readonly<Record<Kind, string>> = {
  postgresql: 'postgres',
  mysql: 'mysql2',
  sqlserver: 'mssql',
  oracle: 'oracledb',
}

export const driverMissing = (kind: Kind, cause?: unknown): ExternalError =>
  new ExternalError('driver', `the driver of ${kindNames[kind]} is not installed: npm install ${packages[kind]}`, cause)
