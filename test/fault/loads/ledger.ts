// The calls of a load, and by them what may be stored: after an acknowledgement nothing but what it said; a call that was
// not answered was made as a whole, or not at all.
import assert from 'node:assert/strict'

/** Undefined: nothing is stored there. */
type Value = unknown
export type Changes<Key> = ReadonlyMap<Key, Value>

export type Ledger<Key> = {
  /** Notes a call that is about to be made; its result is to be called once it is acknowledged. */
  readonly note: (changes: Changes<Key>) => () => void
  /** All keys under which something may be stored. */
  readonly keys: () => readonly Key[]
  readonly judge: (stored: ReadonlyMap<Key, Value>) => void
}

type Candidate = { readonly value: Value; readonly call: object | undefined }

export const openLedger = <Key>(name: string): Ledger<Key> => {
  const settled = new Map<Key, Value>()
  /** Where calls were not answered: what may be there, the last call's last. */
  const open = new Map<Key, readonly Candidate[]>()
  const unanswered = new Map<object, Changes<Key>>()
  const candidatesOf = (key: Key) => open.get(key) ?? [{ value: settled.get(key), call: undefined }]
  /** Of what a call changed: where it alone, and none after it, could have left that value. */
  const isTold = (key: Key, call: object, value: Value) => {
    const candidates = candidatesOf(key)
    return (
      candidates.at(-1)!.call === call &&
      candidates.every((candidate) => candidate.call === call || candidate.value !== value)
    )
  }
  return {
    note: (changes) => {
      const call = {}
      unanswered.set(call, changes)
      for (const [key, value] of changes) open.set(key, [...candidatesOf(key), { value, call }])
      return () => {
        unanswered.delete(call)
        for (const [key, value] of changes) {
          open.delete(key)
          if (value === undefined) settled.delete(key)
          else settled.set(key, value)
        }
      }
    },
    keys: () => [...new Set([...settled.keys(), ...open.keys()])],
    judge: (stored) => {
      const wrong: string[] = []
      for (const key of new Set([...settled.keys(), ...open.keys(), ...stored.keys()])) {
        const values = candidatesOf(key).map(({ value }) => value)
        if (!values.includes(stored.get(key)))
          wrong.push(`${String(key)} is ${String(stored.get(key))}, not ${values.map(String).join(' or ')}`)
      }
      assert.deepEqual(wrong.slice(0, 5), [], `${name}: ${wrong.length} of ${settled.size} are not as acknowledged`)
      for (const [call, changes] of unanswered) {
        const told = [...changes].filter(([key, value]) => isTold(key, call, value))
        const made = told.filter(([key, value]) => stored.get(key) === value).map(([key]) => key)
        const isWhole = made.length === 0 || made.length === told.length
        assert.ok(
          isWhole,
          `${name}: ${made.length} of ${told.length} changes of one call, ${String(made[0])} is the first`,
        )
      }
    },
  }
}
