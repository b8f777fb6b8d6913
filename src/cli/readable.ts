// A text that an argument gives: itself, the content of @FILE, or that of the input for -.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Context } from './context.ts'
import { textFrom } from './lines.ts'

export const readable = async (
  { input, directory }: Pick<Context, 'input' | 'directory'>,
  text: string,
): Promise<string> => {
  if (text === '-') return textFrom(input())
  return text.startsWith('@') ? readFile(resolve(directory, text.slice(1)), 'utf8') : text
}
