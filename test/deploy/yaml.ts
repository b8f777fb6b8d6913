// Reads the YAML of deploy/: no package that we depend on does. It knows the part of the language that these files use,
// and refuses everything else, so that a file never means one thing here and another to its operator: no tabs, no key twice,
// no scalar over several lines but by | and >-, no bare yes, no, on and off, which some readers take for booleans.
import assert from 'node:assert/strict'

export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlMap
export type YamlMap = { readonly [key: string]: Yaml }

type Line = { readonly number: number; readonly indent: number; readonly text: string }

/** The value of every document of the file. */
export const readYaml = (file: string): readonly Yaml[] => {
  const lines = file.split('\n').map((text, at): Line => {
    assert.doesNotMatch(text, /\t|\r/, `line ${at + 1}: a tab, or the end of a line in DOS`)
    return { number: at + 1, indent: text.search(/\S|$/), text }
  })
  const documents: Line[][] = [[]]
  for (const line of lines) {
    if (line.text === '---') documents.push([])
    else documents.at(-1)!.push(line)
  }
  return documents.map((document) => new Reader(document).document())
}

/** The value at a path of keys and numbers: `spec.ports.0.name`. */
export const valueAt = (from: Yaml, path: string): Yaml => {
  let value: Yaml | undefined = from
  for (const key of path.split('.')) {
    value = Array.isArray(value) ? (value as readonly Yaml[])[Number(key)] : isMap(value) ? value[key] : undefined
    assert.notEqual(value, undefined, `${path} is missing at ${key}`)
  }
  return value!
}

export const mapAt = (from: Yaml, path: string): YamlMap => {
  const value = valueAt(from, path)
  assert.ok(isMap(value), `${path} is no mapping`)
  return value
}

export const listAt = (from: Yaml, path: string): readonly Yaml[] => {
  const value = valueAt(from, path)
  assert.ok(Array.isArray(value), `${path} is no list`)
  return value as readonly Yaml[]
}

export const textAt = (from: Yaml, path: string): string => {
  const value = valueAt(from, path)
  assert.ok(typeof value === 'string', `${path} is no text`)
  return value
}

export const textListAt = (from: Yaml, path: string): readonly string[] =>
  listAt(from, path).map((_, at) => textAt(from, `${path}.${at}`))

export const numberAt = (from: Yaml, path: string): number => {
  const value = valueAt(from, path)
  assert.ok(typeof value === 'number', `${path} is no number`)
  return value
}

export const isMap = (value: Yaml | undefined): value is YamlMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entry = /^([\w.<-]+):(?: +(.*))?$/

class Reader {
  readonly #lines: readonly Line[]
  readonly #anchors = new Map<string, Yaml>()
  #at = 0

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  document(): Yaml {
    const first = this.#next()
    assert.ok(first !== undefined, 'an empty document')
    const value = this.#block(first.indent)
    const rest = this.#next()
    assert.ok(rest === undefined, `line ${rest?.number}: does not belong to anything`)
    return value
  }

  /** The next line that says something. */
  #next(): Line | undefined {
    while (/^\s*(#.*)?$/.test(this.#lines[this.#at]?.text ?? 'none')) this.#at += 1
    return this.#lines[this.#at]
  }

  #block(indent: number): Yaml {
    return this.#next()!.text.slice(indent).startsWith('- ') ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): readonly Yaml[] {
    const items: Yaml[] = []
    for (let line = this.#next(); line?.indent === indent; line = this.#next()) {
      assert.ok(line.text.startsWith('- ', indent), `line ${line.number}: no item of the list`)
      const text = line.text.slice(indent + 2)
      assert.match(text, /^[^\s-]/, `line ${line.number}: one blank belongs between - and its item`)
      // `- name: value` begins a mapping whose other keys stand below its first.
      if (entry.test(withoutComment(text))) items.push(this.#map(indent + 2))
      else items.push(this.#value(text, line, indent))
    }
    return items
  }

  #map(indent: number): YamlMap {
    const own = new Map<string, Yaml>()
    const merged: [string, Yaml][] = []
    for (let isFirst = true; ; isFirst = false) {
      const line = this.#next()
      const isItem = isFirst && line?.text.slice(line.indent, indent) === '- '
      if (line === undefined || (line.indent !== indent && !isItem)) break
      const [, key, text = ''] = entry.exec(line.text.slice(indent)) ?? []
      assert.ok(key !== undefined, `line ${line.number}: no key with its value`)
      assert.ok(!own.has(key), `line ${line.number}: ${key} is there twice`)
      const value = this.#value(text, line, indent)
      if (key !== '<<') own.set(key, value)
      else {
        assert.ok(isMap(value), `line ${line.number}: << takes a mapping`)
        merged.push(...Object.entries(value))
      }
    }
    return Object.fromEntries([...merged, ...own])
  }

  /** The value that begins with `text`, behind a key or a dash of that indent. */
  #value(text: string, line: Line, indent: number): Yaml {
    this.#at += 1
    const [, anchor, rest] = /^(?:&([\w-]+) *)?(.*)$/.exec(withoutComment(text)) ?? []
    const value = this.#unnamed(rest!, line, indent)
    if (anchor !== undefined) this.#anchors.set(anchor, value)
    return value
  }

  #unnamed(text: string, line: Line, indent: number): Yaml {
    if (text === '|' || text === '>-') return this.#folded(text, indent)
    if (text === '') {
      const below = this.#next()
      return below !== undefined && below.indent > indent ? this.#block(below.indent) : null
    }
    if (!text.startsWith('*')) return inlineOf(text, line.number)
    const value = this.#anchors.get(text.slice(1))
    assert.ok(value !== undefined, `line ${line.number}: nothing has the name ${text.slice(1)}`)
    return value
  }

  #folded(style: '|' | '>-', indent: number): string {
    const texts: string[] = []
    const inner = this.#lines[this.#at]?.indent ?? 0
    assert.ok(inner > indent, 'nothing stands below | or >-')
    for (; (this.#lines[this.#at]?.indent ?? 0) >= inner; this.#at += 1)
      texts.push(this.#lines[this.#at]!.text.slice(inner))
    return style === '|' ? `${texts.join('\n')}\n` : texts.join(' ')
  }
}

/** A comment begins with # behind a blank, outside of quotes. */
const withoutComment = (text: string) => /^((?:'[^']*'|[^'#]|(?<! )#)*)(?: #.*)?$/.exec(text)?.[1]?.trimEnd() ?? text

const inlineOf = (text: string, number: number): Yaml => {
  if (text === '{}') return {}
  if (!text.startsWith('[')) return scalarOf(text, number)
  assert.match(text, /^\[[^[\]{}]+\]$/, `line ${number}: no list in one line`)
  return text
    .slice(1, -1)
    .split(/,(?=(?:[^']*'[^']*')*[^']*$)/)
    .map((item) => scalarOf(item.trim(), number))
}

const scalarOf = (text: string, number: number): string | number | boolean | null => {
  const quoted = /^'((?:[^']|'')*)'$/.exec(text)?.[1]
  if (quoted !== undefined) return quoted.replaceAll("''", "'")
  // A first letter that means something in YAML, a colon or a comment within, and words that readers take differently.
  assert.doesNotMatch(text, /^[-?:,[\]{}#&*!|>'"%@`]|: | #|:$/, `line ${number}: ${text} is no plain text`)
  assert.doesNotMatch(text, /^(yes|no|on|off|y|n|~)$/i, `line ${number}: ${text} belongs in quotes`)
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (/^(0|[1-9]\d*)$/.test(text)) return Number(text)
  // Numbers in other forms, and times of day, which some readers take for seconds.
  assert.doesNotMatch(
    text,
    /^[-+.]?[\d_]+(\.[\d_]*)?(e[-+]?\d+)?$|^0[xob][\da-f_]+$|^\d+(:\d+)+$/i,
    `line ${number}: ${text} belongs in quotes`,
  )
  return text
}
