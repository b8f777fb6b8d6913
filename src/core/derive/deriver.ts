// The engine of derived streams (docs/derived.md), for its users: the background, uploads, requests and previews. It is
// opened with the compiler that makes SQL of an expression, because this room knows no language.
import type { Clock } from '../../base/clock.ts'
import type { Pool, Transaction } from '../../base/database/sql.ts'
import type { Foresee } from '../sample/foreseen.ts'
import type { DeriveAtOnce } from '../sample/store.ts'
import { openAnew, usualPartLimits } from './anew.ts'
import type { AnewSpan, BegunPiece } from './anew.ts'
import { openAtOnce } from './at-once.ts'
import { rememberCompiled } from './definition.ts'
import type { Drafted } from './definition.ts'
import type { CompileExpression } from './expression.ts'
import { openForesee } from './foresee.ts'
import { openMemory } from './memory.ts'
import { openPass, usualLimits } from './pass.ts'
import type { OnFailed } from './pass.ts'
import { previewStream } from './preview.ts'
import type { PreviewedSample } from './preview.ts'
import { openPaces } from './work.ts'
import type { Tools } from './work.ts'

/** A derived stream and the times at which it is to be derived anew: from fromMs on, before toMs, as shown. */
export type DeriveSpan = AnewSpan

/** A stream that is only tried: its expression, variables, kind and value type. */
export type PreviewedStream = Drafted

export type Deriver = {
  /** One round of the background's work; true when there is more. Without `onFailed` an organization that fails ends it. */
  readonly deriveSome: (pool: Pool, onFailed?: OnFailed) => Promise<boolean>
  /** In the transaction of an upload, for whoever writes it (core/sample/ingest.ts). */
  readonly deriveAtOnce: DeriveAtOnce
  /** Before the transaction of an upload, for the same. */
  readonly foresee: Foresee
  /**
   * Derives a stream and all that is derived from it anew, piece by piece, each in transactions of its own; what is
   * done is reported after each, as the time before which all is done. Derives a piece twice without harm, so that one
   * who was cut off goes on from the last report. Gives the piece that was begun when the signal came, to go on with it.
   */
  readonly deriveSpan: (
    pool: Pool,
    span: DeriveSpan,
    onProgress: (reachedMs: number) => Promise<void> | void,
    signal?: AbortSignal,
  ) => Promise<BegunPiece | undefined>
  /** The first `most` samples that it would have from fromMs on, before toMs; throws a Fault where it fails. */
  readonly previewDerivation: (
    sql: Transaction,
    organizationKey: number,
    stream: PreviewedStream,
    span: { readonly fromMs: number; readonly toMs: number },
    most: number,
  ) => Promise<readonly PreviewedSample[]>
}

export const openDeriver = (
  clock: Clock,
  compile: CompileExpression,
  limits = usualLimits,
  partLimits = usualPartLimits,
): Deriver => {
  const tools: Tools = { compiled: rememberCompiled(compile), paces: openPaces() }
  const memoryOf = openMemory()
  return {
    deriveSome: openPass(clock, tools, limits),
    deriveAtOnce: openAtOnce(clock, tools, memoryOf),
    foresee: openForesee(clock, tools, memoryOf),
    deriveSpan: openAnew(clock, tools, partLimits),
    previewDerivation: (sql, _organizationKey, stream, { fromMs, toMs }, most) =>
      previewStream(tools, sql, stream, [fromMs, toMs], most, clock.now()),
  }
}
