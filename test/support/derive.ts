// The background's part of derived streams, done when a test wants it: services of tests run no jobs.
//
//   const derive = openDerivation(service)
//   await derive()
import { openDeriver } from '../../src/core/derive/deriver.ts'
import { openRequestWork } from '../../src/core/derive/request.ts'
import { compileDerivation } from '../../src/gsql/derivation.ts'
import type { TestService } from './service.ts'

/** Derives until there is nothing left to do: what was appended, and what was asked for. */
export const openDerivation = ({ service, sql }: TestService): (() => Promise<void>) => {
  const { clock } = service.world
  const deriver = openDeriver(clock, compileDerivation)
  const work = openRequestWork(deriver)
  return async () => {
    while (await deriver.deriveSome(sql));
    while (await work(sql, () => clock.now()));
    while (await deriver.deriveSome(sql));
  }
}
