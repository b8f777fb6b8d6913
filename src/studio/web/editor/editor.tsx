// The editor of GS SQL scripts: colours, completion, and an error underlined where the server found it.
import { autocompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { StandardSQL, sql } from '@codemirror/lang-sql'
import { setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'
import { complete } from './completion.ts'
import { gsSql } from './language.ts'

export type ScriptError = { readonly message: string; readonly line: number; readonly column: number }

export const Editor = ({
  label,
  value,
  change,
  run,
  error,
  names,
  isReadOnly = false,
  isShort = false,
  dialect = 'gs',
}: {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
  /** By Ctrl and Enter. */
  readonly run?: () => void
  readonly error?: ScriptError | undefined
  /** Offered besides the words of the language. */
  readonly names?: readonly string[]
  readonly isReadOnly?: boolean
  /** Of an expression, which is a line or two. */
  readonly isShort?: boolean
  /** GS SQL, or that of an external database, whose words are not known. */
  readonly dialect?: 'gs' | 'other'
}) => {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ change, run, names })
  latest.current = { change, run, names }
  /** Texts that were typed and reported, and that have not come back as the value yet. */
  const reported = useRef<string[]>([])
  useEffect(() => {
    // In a root of its own CodeMirror adopts its styles; elsewhere it writes style elements, which the page's policy forbids.
    const root = place.current!.shadowRoot ?? place.current!.attachShadow({ mode: 'open' })
    const made = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          sql({ dialect: dialect === 'gs' ? gsSql : StandardSQL }),
          syntaxHighlighting(colours),
          dialect === 'gs' ? autocompletion({ override: [(context) => complete(context, latest.current.names)] }) : [],
          EditorState.readOnly.of(isReadOnly),
          keymap.of([
            { key: 'Mod-Enter', run: () => (latest.current.run?.(), true) },
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.lineWrapping,
          replaceSelected,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return
            const text = update.state.doc.toString()
            reported.current = [...reported.current, text].slice(-mostReported)
            latest.current.change(text)
          }),
          // The first one wins.
          isShort ? shortTheme : [],
          theme,
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current!
    // While somebody types, values come back late: an older one must not take the place of what was typed since, which
    // would be reported in turn, and so for ever.
    const at = reported.current.lastIndexOf(value)
    if (at >= 0) {
      reported.current = reported.current.slice(at + 1)
      return
    }
    if (editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const editor = view.current!
    editor.dispatch(setDiagnostics(editor.state, error ? [diagnosticOf(editor, error)] : []))
  }, [error])
  return <div class="editor" ref={place} />
}

const mostReported = 100

/**
 * Letters that take the place of a selection. The browser would give them the looks of the selected ones, as a style
 * attribute, which the page's policy forbids.
 */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType } = event
    if (inputType !== 'insertText' || !data || view.composing || view.state.selection.main.empty) return false
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    event.preventDefault()
    return true
  },
})

/** The word that stands at the server's line and column. */
const diagnosticOf = ({ state: { doc } }: EditorView, { message, line, column }: ScriptError) => {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  const from = Math.min(at.to, at.from + Math.max(0, column - 1))
  const [word = ''] = /^(?:\w+|\S)/.exec(at.text.slice(from - at.from)) ?? []
  return { from, to: Math.min(at.to, from + Math.max(1, word.length)), severity: 'error' as const, message }
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--leaf)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--series-2)' },
  { tag: tags.number, color: 'var(--series-3)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.standard(tags.name), tags.typeName], color: 'var(--series-6)' },
  { tag: tags.special(tags.name), color: 'var(--series-4)' },
])

const theme = EditorView.theme({
  '&': { fontSize: '14px', background: 'var(--card)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '2px solid var(--leaf)' },
  '.cm-content': { fontFamily: 'ui-monospace, Menlo, Consolas, monospace', minHeight: '9em', caretColor: 'var(--ink)' },
  '.cm-gutters': { background: 'transparent', color: 'var(--quiet)', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { background: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--leaf)', color: 'var(--on-leaf)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--leaf-ground) !important' },
})

const shortTheme = EditorView.theme({ '.cm-content': { minHeight: '3em' } })
