// Members of an entity as they are typed: name=text, name:=JSON, name=@file and name:=@file; or a whole JSON object by
// --data, as text, @file, or - for the input.
import type { Option } from './command.ts'
import type { Context } from './context.ts'
import type { Given } from './given.ts'
import { textOf, UsageError } from './given.ts'
import { readable } from './readable.ts'

export const membersUsage = 'NAME=TEXT | NAME:=JSON | NAME=@FILE …'

export const dataOption: Readonly<Record<string, Option>> = {
  data: {
    type: 'string',
    short: 'd',
    value: 'JSON',
    about: 'all members as one JSON object, @FILE, or - for the input',
  },
}

export const readMembers = async (
  context: Context,
  given: Given,
  words: readonly string[],
): Promise<Readonly<Record<string, unknown>>> => {
  const data = textOf(given, 'data')
  const whole = data === undefined ? {} : readObject(await readable(context, data), '--data')
  const members = await Promise.all(words.map((word) => readMember(context, word)))
  return { ...whole, ...Object.fromEntries(members) }
}

const readMember = async (context: Context, word: string): Promise<readonly [string, unknown]> => {
  const [, name, mark, text] = /^([A-Za-z]\w*)(:?=)([^]*)$/.exec(word) ?? []
  if (name === undefined) throw new UsageError(`'${word}' is not ${membersUsage}`)
  const content = text!.startsWith('@') ? await readable(context, text!) : text!
  return [name, mark === '=' ? content : readJson(content, name)]
}

const readJson = (text: string, name: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name} is no JSON: ${(error as Error).message}`)
  }
}

const readObject = (text: string, name: string): object => {
  const value = readJson(text, name)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${name} must be a JSON object`)
  return value
}
