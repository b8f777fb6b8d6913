// Words of a line that is copied into a shell. They may be a stranger's, such as the query of a call that came, so nothing of
// them is left for the shell to read.

/** One word for bash, zsh and their like. */
export const quoteWord = (text: string): string =>
  // A terminal takes control characters for keys: ^C would leave the quotes, and the rest would be commands. Behind a line's
  // end an older bash looks for ! in spite of the quotes.
  /\p{Cc}/u.test(text)
    ? `$'${text.replaceAll(/[\p{Cc}'!\\]/gu, escape)}'`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`

const escape = (letter: string): string => {
  const code = letter.charCodeAt(0)
  return letter === '\n' ? String.raw`\n` : code < 0x80 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** The call of a connector by curl. */
export const curlLine = (url: string, query: string, method: string, body: string): string => {
  const verb = method === (body === '' ? 'GET' : 'POST') ? '' : ` -X ${method}`
  const address = quoteWord(`${url}?${query === '' ? '' : `${query}&`}api_key=KEY`)
  // Brackets of an address mean nothing to curl by -g, and the @ of a body by --data-raw: --data-binary would send a file.
  return `curl -g${verb} ${address}${body === '' ? '' : ` --data-raw ${quoteWord(body)}`}`
}
