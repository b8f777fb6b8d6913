// What derives streams (docs/derived.md), for those who have it do so: the background, uploads, requests and previews. It
// is opened with what makes SQL of an expression, because this room knows no language.
import type { Clock } from '../../base/clock.ts'
import type { Pool, Sql } from '../../base/database/sql.ts'
import type { DeriveAtOnce } from '../sample/store.ts'
import type { Value } from '../sample/value.ts'
import { openAtOnce } from './at-once.ts'
import { rememberCompiled } from './definition.ts'
import type { Drafted } from './definition.ts'
import type { CompileExpression } from './expression.ts'
import { openPass } from './pass.ts'
import { openPaces } from './work.ts'
import type { Tools } from './work.ts'

/** A derived stream and the times at which it is to be derived anew: from fromMs on, before toMs, as shown. */
export type DeriveSpan = { readonly streamKey: number; readonly fromMs: number; readonly toMs: number }

/** What an expression would be a stream of. */
export type PreviewedStream = Drafted

export type PreviewedSample = { readonly timeMs: number; readonly value: Value }

export type Deriver = {
  /** One round of the background's work; true when there is more. */
  readonly deriveSome: (pool: Pool) => Promise<boolean>
  /** In the transaction of an upload, for whoever writes it (core/sample/ingest.ts). */
  readonly deriveAtOnce: DeriveAtOnce
  /**
   * Derives a stream and all that is derived from it anew, piece by piece, each in a transaction of its own; what is
   * done is reported after each, as the time before which all is done. Derives a piece twice without harm, so that one
   * who was cut off goes on from the last report.
   */
  readonly deriveSpan: (
    pool: Pool,
    span: DeriveSpan,
    onProgress: (reachedMs: number) => Promise<void> | void,
    signal?: AbortSignal,
  ) => Promise<void>
  /** What it would have from fromMs on, before toMs, the first `most` samples; throws a Fault where it fails. */
  readonly previewDerivation: (
    sql: Sql,
    organizationKey: number,
    stream: PreviewedStream,
    span: { readonly fromMs: number; readonly toMs: number },
    most: number,
  ) => Promise<readonly PreviewedSample[]>
}

export const openDeriver = (clock: Clock, compile: CompileExpression): Deriver => {
  const tools: Tools = { compiled: rememberCompiled(compile), paces: openPaces() }
  return {
    deriveSome: openPass(clock, tools),
    deriveAtOnce: openAtOnce(clock, tools),
    deriveSpan: () => Promise.resolve(),
    previewDerivation: () => Promise.resolve([]),
  }
}
