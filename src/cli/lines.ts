// The lines of an input, as they come; the last one may lack its end.

export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8')
  let rest: string[] = []
  for await (const piece of input) {
    const lines = decoder.decode(piece, { stream: true }).split('\n')
    if (lines.length > 1) {
      yield withoutCr([...rest, lines[0]!].join(''))
      rest = []
      for (const line of lines.slice(1, -1)) yield withoutCr(line)
    }
    rest.push(lines.at(-1)!)
  }
  const last = rest.join('') + decoder.decode()
  if (last !== '') yield withoutCr(last)
}

const withoutCr = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

export const textFrom = async (input: AsyncIterable<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder('utf-8')
  const parts: string[] = []
  for await (const piece of input) parts.push(decoder.decode(piece, { stream: true }))
  return parts.join('') + decoder.decode()
}
