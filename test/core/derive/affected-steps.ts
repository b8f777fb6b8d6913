// Spans of a derived stream that hang on a touched sample, for a test that counts the work. Variables with cycles need no
// database.
import { affectedSpans } from '../../../src/core/derive/affected.ts'
import type { Definition } from '../../../src/core/derive/definition.ts'
import { openCalendar } from '../../../src/core/time/calendar.ts'
import type { CycleDefinition } from '../../../src/core/time/calendar.ts'
import type { Span } from '../../../src/core/time/span.ts'

const touchedMs = Date.parse('2026-07-01T12:00:00Z')

export const affectedBy = (
  cycle: CycleDefinition,
  zone: string,
  backs: readonly number[],
): Promise<readonly Span[]> => {
  const calendar = openCalendar(cycle, zone)
  const source = { key: 1, kind: 'random', valueType: 'DOUBLE', calendar: undefined }
  const variables = backs.map((back) => ({ name: `v${back}`, type: 'DOUBLE', source, back, calendar, isPlain: false }))
  const definition = { key: 2, kind: 'random', calendar: undefined, shape: 'clocked', variables }
  return affectedSpans(
    undefined as never,
    definition as unknown as Definition,
    1,
    [[touchedMs, touchedMs + 1]],
    Number.POSITIVE_INFINITY,
  )
}
