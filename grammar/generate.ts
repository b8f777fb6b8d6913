// `npm run grammar`: makes the lexer and parser of grammar/GsSql.g4 into src/gsql/syntax/generated. They are committed,
// and test/gsql/grammar.test.ts makes them again to see that they are still the same.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const generatedFiles = ['GsSqlLexer.ts', 'GsSqlParser.ts'] as const

export const generatedDirectory = here('../src/gsql/syntax/generated')

export const generateParser = (directory: string) => {
  const raw = mkdtempSync(join(tmpdir(), 'gs-sql-'))
  try {
    const tool = here('../node_modules/.bin/antlr-ng')
    const grammar = here('GsSql.g4')
    execFileSync(tool, ['-Dlanguage=TypeScript', '-v', 'false', '-l', 'false', '-o', raw, '--', grammar])
    mkdirSync(directory, { recursive: true })
    // The generator's output is not written to our compiler options: it declares names it does not use.
    for (const file of generatedFiles)
      writeFileSync(
        join(directory, file),
        `// Made by npm run grammar.\n// @ts-nocheck\n${readFileSync(join(raw, file), 'utf8')}`,
      )
  } finally {
    rmSync(raw, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateParser(generatedDirectory)
