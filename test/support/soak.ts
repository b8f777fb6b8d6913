// Tests that take minutes have a short form in npm test or npm run test:load and a long one in npm run soak.

const isSoak = process.env['SOAK'] === '1'

export const shortOrLong = <T>(short: T, long: T): T => (isSoak ? long : short)

/** Whether a long form may still begin something: for so many minutes from now on. */
export const openMinutes = (minutes: number): (() => boolean) => {
  const endMs = performance.now() + minutes * 60_000
  return () => performance.now() < endMs
}
