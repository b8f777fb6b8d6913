// Tests that take minutes have a short form in npm test and a long one in npm run soak.

const isSoak = process.env['SOAK'] === '1'

export const shortOrLong = <T>(short: T, long: T): T => (isSoak ? long : short)
