// A kind whose driver is not there says how it is installed.
import assert from 'node:assert/strict'
import { driverMissing } from '../../src/outbound/open-session.ts'

describe('a kind whose driver is not installed', () => {
  it('answers with the line that installs it', () => {
    assert.equal(driverMissing('sqlserver').message, 'the driver of SQL Server is not installed: npm install mssql')
    assert.equal(driverMissing('oracle').message, 'the driver of Oracle is not installed: npm install oracledb')
  })
})
