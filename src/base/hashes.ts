// Whether this release of Node knows texts that are numbers by these numbers (CVE-2026-21717): anybody can then choose texts that V8 compares
// with each other, all with all. A body of 400 KB with 30,000 of them kept everybody else waiting for 70 s on Node 20.19.5, and ten sign-ins
// without any credential, of 40 KB each, for 14 s. Releases since March 2026 mix these numbers with one that nobody knows.
//
// By a try, not by the release: distributions mend older ones. On 20.19, 20.20.1 and 22.12 such texts take 200 to 480 times as long as
// others, 70 to 120 ms, and on 20.20.2, 24.14.1 and 24.21 as long as others, 0.3 ms (busy machine).

const count = 2000
const tries = 3
const mostTimes = 20

export const hasForeseeableHashes = (): boolean => {
  const alike = textsOf(2 ** 20)
  const others = textsOf(2 ** 20 - 3)
  let alikeMs = Infinity
  let othersMs = Infinity
  for (let nth = 0; nth < tries; nth += 1) {
    othersMs = Math.min(othersMs, msOf(others))
    alikeMs = Math.min(alikeMs, msOf(alike))
  }
  return alikeMs > mostTimes * othersMs
}

/** Of one length each, as it counts, too. */
const textsOf = (step: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, n) => String(2 ** 20 * 1000 + n * step)))

const msOf = (texts: string): number => {
  const fromMs = performance.now()
  void new Set(JSON.parse(texts) as readonly string[])
  return performance.now() - fromMs
}

export const foreseeableHashesAdvice =
  `Node ${process.versions.node} lets a small body of anybody stop the server for a minute (CVE-2026-21717): ` +
  'take 20.20.2, 22.22.2, 24.14.1 or newer'
