// One line per group of tests, the failures in full at the end, and a last line that counts. When files run at the same
// time, mocha hands on what happened in one file when that file is done, and not the objects themselves: the time of a
// group is thus the sum of its parts, and its depth is counted.
import { relative } from 'node:path'
import Mocha from 'mocha'
import type { Hook, MochaOptions, Runner, Suite, Test } from 'mocha'

const { Base } = Mocha.reporters
const {
  EVENT_HOOK_END,
  EVENT_RUN_END,
  EVENT_SUITE_BEGIN,
  EVENT_SUITE_END,
  EVENT_TEST_END,
  EVENT_TEST_FAIL,
  EVENT_TEST_PASS,
  EVENT_TEST_PENDING,
} = Mocha.Runner.constants

type Count = { passed: number; failed: number; skipped: number }

class GroupReporter extends Base {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    const startedAt = performance.now()
    const total: Count = { passed: 0, failed: 0, skipped: 0 }
    let group: Count & { ms: number } = { ...total, ms: 0 }
    let depth = 0
    runner.on(EVENT_SUITE_BEGIN, (suite: Suite) => {
      depth = suite.root ? 0 : depth + 1
      if (depth === 1) group = { passed: 0, failed: 0, skipped: 0, ms: 0 }
    })
    const count = (kind: keyof Count) => {
      total[kind]++
      group[kind]++
    }
    const addTime = ({ duration = 0 }: Test | Hook) => (group.ms += duration)
    runner.on(EVENT_TEST_END, addTime)
    runner.on(EVENT_HOOK_END, addTime)
    runner.on(EVENT_TEST_PASS, () => count('passed'))
    runner.on(EVENT_TEST_PENDING, (test: Test) => {
      count('skipped')
      write(Base.color('pending', `  - skipped: ${test.fullTitle()}`))
    })
    runner.on(EVENT_TEST_FAIL, (test: Test, error: Error & { readonly file?: string }) => {
      count('failed')
      // A file that cannot be loaded, or whose process ended, is no test. Mocha lists only the first of them at the end.
      const isTest = !test.title.startsWith('Uncaught error outside')
      const title = isTest ? test.fullTitle() : `${relative('', error.file ?? '')}: ${error.message}`
      write(Base.color('fail', `  ${Base.symbols.err} ${title}`))
      // The end of a soak is long after, and who looks at it may not wait.
      if (process.env['SOAK'] !== undefined) write(String(error.stack))
    })
    runner.on(EVENT_SUITE_END, (suite: Suite) => {
      if (depth === 1) {
        const mark = group.failed > 0 ? Base.color('fail', Base.symbols.err) : Base.color('checkmark', Base.symbols.ok)
        write(`${mark} ${suite.title} ${Base.color('light', `(${counted(group)}, ${seconds(group.ms)} s)`)}`)
      }
      depth -= 1
    })
    runner.once(EVENT_RUN_END, () => {
      if (this.failures.length > 0) Base.list(this.failures)
      if (total.skipped > 0) write(`\n${total.skipped} skipped`)
      write(`\n${total.passed} passed, ${total.failed} failed, ${seconds(performance.now() - startedAt)} s`)
    })
  }
}

const write = (line: string) => process.stdout.write(`${line}\n`)

const seconds = (ms: number) => (ms / 1000).toFixed(1)

const counted = ({ passed, failed, skipped }: Count) =>
  [passed && `${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`]
    .filter(Boolean)
    .join(', ')

// Mocha takes the default export of a reporter's file.
export default GroupReporter
