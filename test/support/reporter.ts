// One line per group of tests, the failures in full at the end, and a last line that counts.
import Mocha from 'mocha'
import type { MochaOptions, Runner, Suite, Test } from 'mocha'

const { Base } = Mocha.reporters
const { EVENT_RUN_END, EVENT_SUITE_BEGIN, EVENT_SUITE_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Mocha.Runner.constants

type Count = { passed: number; failed: number; skipped: number; sinceMs: number }

class GroupReporter extends Base {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options)
    const total = { passed: 0, failed: 0, skipped: 0 }
    let group: Count | undefined
    runner.on(EVENT_SUITE_BEGIN, (suite: Suite) => {
      if (suite.parent?.root) group = { passed: 0, failed: 0, skipped: 0, sinceMs: Date.now() }
    })
    const count = (kind: keyof typeof total) => {
      total[kind]++
      if (group) group[kind]++
    }
    runner.on(EVENT_TEST_PASS, () => count('passed'))
    runner.on(EVENT_TEST_PENDING, (test: Test) => {
      count('skipped')
      write(Base.color('pending', `  - skipped: ${test.fullTitle()}`))
    })
    runner.on(EVENT_TEST_FAIL, (test: Test) => {
      count('failed')
      write(Base.color('fail', `  ${Base.symbols.err} ${test.fullTitle()}`))
    })
    runner.on(EVENT_SUITE_END, (suite: Suite) => {
      if (!suite.parent?.root || !group) return
      const seconds = ((Date.now() - group.sinceMs) / 1000).toFixed(1)
      const mark = group.failed > 0 ? Base.color('fail', Base.symbols.err) : Base.color('checkmark', Base.symbols.ok)
      write(`${mark} ${suite.title} ${Base.color('light', `(${counted(group)}, ${seconds} s)`)}`)
    })
    runner.once(EVENT_RUN_END, () => {
      if (this.failures.length > 0) Base.list(this.failures)
      if (total.skipped > 0) write(`\n${total.skipped} skipped`)
      write(`\n${total.passed} passed, ${total.failed} failed`)
    })
  }
}

const write = (line: string) => process.stdout.write(`${line}\n`)

const counted = ({ passed, failed, skipped }: Count) =>
  [passed && `${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`]
    .filter(Boolean)
    .join(', ')

// Mocha takes the default export of a reporter's file.
export default GroupReporter
