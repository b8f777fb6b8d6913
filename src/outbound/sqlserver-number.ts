// Decimals and money of SQL Server to their last digit. tedious, under mssql, makes floating-point numbers of them, which
// have 15 digits where the server has up to 38. Its reader of values is wrapped, in the one thread that uses it: the
// value is read as before, so that it is known to be whole, and made anew from its bytes.
type ReadValue = (bytes: Buffer, offset: number, metadata: Metadata, options: unknown) => Result
type Metadata = { readonly type: { readonly name: string }; readonly scale?: number }
type Result = { value: unknown; readonly offset: number }

let isWrapped = false

/** `require` finds modules as mssql does. */
export const exactNumbers = (require: NodeJS.Require): void => {
  if (isWrapped) return
  isWrapped = true
  const parser = require('tedious/lib/value-parser') as { readValue: ReadValue }
  const { readValue } = parser
  parser.readValue = (bytes, offset, metadata, options) => {
    const result = readValue(bytes, offset, metadata, options)
    if (result.value !== null && result.value !== undefined) {
      const exact = exactNumber(bytes.subarray(offset, result.offset), metadata)
      if (exact !== undefined) result.value = exact
    }
    return result
  }
}

/** Undefined: no number of these kinds. */
export const exactNumber = (bytes: Buffer, { type, scale = 0 }: Metadata): string | undefined => {
  switch (type.name) {
    // A length, a sign (1 is plus) and the digits' number, its lowest byte first.
    case 'NumericN':
    case 'DecimalN':
      return withScale(
        bytes[1] === 1,
        BigInt(`0x${Buffer.from(bytes.subarray(2).toReversed()).toString('hex')}`),
        scale,
      )
    // Ten-thousandths: four bytes, or the upper four before the lower.
    case 'SmallMoney':
      return signed(BigInt(bytes.readInt32LE(0)))
    case 'Money':
      return signed(moneyOf(bytes))
    case 'MoneyN':
      return signed(bytes[0] === 4 ? BigInt(bytes.readInt32LE(1)) : moneyOf(bytes.subarray(1)))
    default:
      return undefined
  }
}

const moneyOf = (bytes: Buffer): bigint => (BigInt(bytes.readInt32LE(0)) << 32n) + BigInt(bytes.readUInt32LE(4))

const signed = (value: bigint): string => withScale(value >= 0n, value < 0n ? -value : value, 4)

const withScale = (isPositive: boolean, value: bigint, scale: number): string => {
  const digits = String(value).padStart(scale + 1, '0')
  const sign = isPositive || value === 0n ? '' : '-'
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
