// Ingest SQL by which the same external rows make the same samples, whenever it runs (docs/imports.md#skip-unchanged).
import type { CompiledScript } from '../script.ts'

/** Whether the same rows make the same samples in every run: nothing of it depends on the time or on other samples. */
export const isSteady = (script: CompiledScript): boolean =>
  !script.readsStreams &&
  !script.imported!.readsText &&
  script.statements.every(({ action }) => action.kind === 'insert') &&
  !holdsMoment(script.statements)

/** Looks through all of a compiled script, which is plain data. */
const holdsMoment = (part: unknown): boolean => {
  if (typeof part !== 'object' || part === null) return false
  const { kind, name } = part as { readonly kind?: unknown; readonly name?: unknown }
  if (kind === 'now' || (kind === 'system' && name === 'now') || (kind === 'variable' && name === 'last_run_date'))
    return true
  return Object.values(part).some(holdsMoment)
}
