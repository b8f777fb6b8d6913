// The scope of an OAuth request (docs/oauth.md#authorization-request): 'read', or 'read write'. Words that are none of
// ours are ignored, because the contract's clients send any.
import type { Scope } from '../core/caller.ts'

/** Undefined when no word is ours. */
export const scopeFrom = (text: string | undefined): Scope | undefined => {
  const words = new Set(text?.split(' '))
  return words.has('write') ? 'read write' : words.has('read') ? 'read' : undefined
}

/** The scope of a refresh: less than was granted if it asks for that, never more. */
export const narrowed = (granted: Scope, asked: string | undefined): Scope =>
  scopeFrom(asked) === 'read' ? 'read' : granted
