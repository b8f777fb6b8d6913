// The cycles whose statistics a chart can show, with about the length of their intervals.
import type { Client } from '../../../client/client.ts'

export type CycleChoice = { readonly id: string; readonly name: string; readonly length: number }

const lengths: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 25 * 3_600_000,
  week: 7 * 86_400_000 + 3_600_000,
  month: 32 * 86_400_000,
  year: 367 * 86_400_000,
}

/** The shortest first; all of them, or the one with this ID. */
export const loadCycles = async (calls: Client, signal: AbortSignal, id?: string): Promise<readonly CycleChoice[]> => {
  const found: CycleChoice[] = []
  for await (const { id: own, name, size, unit } of calls.entities('cycle').list({ id }, { signal }))
    found.push({ id: own ?? '', name: name || (own ?? ''), length: size * (lengths[unit] ?? 0) })
  return found.toSorted((a, b) => a.length - b.length)
}
