// Inputs that reached code which none before had reached, or that once failed: a line of JSON for each, its bytes as latin1.
import { mkdir, readFile, writeFile } from 'node:fs/promises'

const fileOf = (name: string) => new URL(`corpus/${name}.txt`, import.meta.url)

export const readCorpus = async (name: string): Promise<readonly Buffer[]> => {
  const text = await readFile(fileOf(name), 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(JSON.parse(line) as string, 'latin1'))
}

export const writeCorpus = async (name: string, inputs: readonly Buffer[]): Promise<void> => {
  await mkdir(new URL('.', fileOf(name)), { recursive: true })
  await writeFile(fileOf(name), inputs.map((input) => `${JSON.stringify(input.toString('latin1'))}\n`).join(''))
}
