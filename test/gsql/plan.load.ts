// Plans are what their types say: never changed once they are made, neither by the rest of the check nor by emitting.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { checkStatement, systemVariables } from '../../src/gsql/check/check.ts'
import { openChecking } from '../../src/gsql/check/checking.ts'
import type { Checking } from '../../src/gsql/check/scope.ts'
import type { StatementPlan } from '../../src/gsql/plan/plan.ts'
import { compilePlans, compileScript } from '../../src/gsql/script.ts'
import { buildScript } from '../../src/gsql/syntax/build.ts'
import { parseScript } from '../../src/gsql/syntax/parse.ts'
import { deepFreeze } from '../support/deep-freeze.ts'

const maxBytes = 65_536
const scriptsIn = (folder: string) => {
  const directory = new URL(folder, import.meta.url)
  return readdirSync(directory).flatMap((name) =>
    name.endsWith('.gs.sql') ? [{ name, text: readFileSync(new URL(name, directory), 'utf8') }] : [],
  )
}
const scripts = [...scriptsIn('cases/'), ...scriptsIn('cookbook/')]

/** Every expression and every query is frozen when it is handed back, while the statement around it is still checked. */
const openFreezing = (variables: Checking['variables']): Checking => {
  const checking = openChecking(variables)
  const { expression, query } = checking
  return Object.assign(checking, {
    expression: (...given: Parameters<typeof expression>) => deepFreeze(expression(...given)),
    query: (...given: Parameters<typeof query>) => deepFreeze(query(...given)),
  })
}

const frozenPlans = (text: string): readonly StatementPlan[] => {
  const variables = new Map(systemVariables)
  return buildScript(parseScript(text, maxBytes)).statements.map((statement) => {
    const plan = deepFreeze(checkStatement(openFreezing(variables), statement))
    if (plan.action.kind === 'set') variables.set(plan.action.variable, plan.action.value.type)
    return plan
  })
}

describe('plans', () => {
  it('are never changed once they are made, in any of the cases', () => {
    assert.ok(scripts.length >= 150)
    for (const { name, text } of scripts)
      assert.deepEqual(compilePlans(frozenPlans(text), 'script'), compileScript(text, maxBytes), name)
  })

  it('are never changed by an import, whose rows are in tables of its own', () => {
    for (const { name, text } of scripts) {
      const imported = text.replaceAll('@HTTP_BODY', '@JDBC_RESULT')
      assert.deepEqual(compilePlans(frozenPlans(imported), 'import'), compileScript(imported, maxBytes, 'import'), name)
    }
  })
})
