// Readings whose streams have had no sample for weeks, which portals repeat again and again: they are remembered, so
// that the next one is asked in one snapshot at once, and not first in vain for the last weeks. It is a guess that
// changes only the way: a stream that has samples again is found by either.
import { ownText } from '../../base/own-text.ts'
import type { Window } from '../sample/sample.ts'

type Question = {
  readonly organizationKey: number
  readonly componentId: string
  readonly streamId: string | undefined
  readonly window: Window
}

export type FarQuestions = {
  readonly has: (question: Question) => boolean
  readonly note: (question: Question, isFar: boolean) => void
}

const most = 4000
/** A bound by which all of them together take a megabyte or two. */
const mostCharacters = 200

export const openFarQuestions = (): FarQuestions => {
  const names = new Set<string>()
  return {
    has: (question) => names.size > 0 && names.has(nameOf(question)),
    note: (question, isFar) => {
      const name = nameOf(question)
      names.delete(name)
      if (!isFar || name.length > mostCharacters || question.window.endMs !== undefined) return
      names.add(ownText(name))
      const [oldest] = names
      if (names.size > most) names.delete(oldest!)
    },
  }
}

const nameOf = ({ organizationKey, componentId, streamId = '' }: Question): string =>
  `${organizationKey}/${componentId}/${streamId}`
