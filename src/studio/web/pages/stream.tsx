// One stream, of a component or a template: its definition, what it is derived by, what that would give, and deriving it
// again. A new one has the place stream/new?component=<uid>, or template.
import { useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import type { Client } from '../../../client/client.ts'
import type { Stream } from '../catalogue.ts'
import { nameOf } from '../catalogue.ts'
import type { ScriptError } from '../editor/editor.tsx'
import { problemOf, useLoad } from '../load.ts'
import { go, place, to } from '../router.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Remove } from '../ui/dialog.tsx'
import { showHead } from '../stream-search.ts'
import { saveEntity } from '../ui/managed.tsx'
import { Notice, Page, ShownPage } from '../ui/parts.tsx'
import { Unsaved, useDraft } from '../ui/unsaved.tsx'
import { StreamDefinition } from './stream-definition.tsx'
import { DeriveAgain } from './stream-derive.tsx'
import { draftOf, membersOf, ownerOfComponent } from './stream-draft.ts'
import type { Owner } from './stream-draft.ts'
import { Expression } from './stream-expression.tsx'
import { Preview } from './stream-preview.tsx'
import { lastReach, reachedText } from './template-reach.ts'

const words = texts.catalogue.stream

const StreamPage = () => {
  const { path, query } = place.value
  const uid = path[1] ?? 'new'
  const [notice, setNotice] = useState('')
  const found = useLoad(`stream ${uid} ${uid === 'new' ? query : ''}`, async (calls, signal) => {
    const stream = uid === 'new' ? undefined : await calls.entities('stream').show(uid, { signal })
    return { stream, owner: await loadOwner(calls, stream, query, signal) }
  })
  return (
    <ShownPage title={texts.component.stream} of={found}>
      {({ stream, owner }) => (
        <StreamEditor
          key={stream?.uid}
          stream={stream}
          owner={owner}
          notice={notice}
          reload={found.reload}
          saved={(made, said) => {
            setNotice(said)
            if (stream === undefined) go(['stream', made.uid ?? ''])
            else found.reload()
          }}
        />
      )}
    </ShownPage>
  )
}

export default StreamPage

const loadOwner = async (
  calls: Client,
  stream: Stream | undefined,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<Owner> => {
  const templateUid = stream ? stream.templateUid : query.get('template')
  if (templateUid) {
    const { uid, name } = await calls.entities('template').show(templateUid, { signal })
    return { kind: 'template', uid, name }
  }
  const uid = (stream ? stream.componentUid : query.get('component')) ?? ''
  return ownerOfComponent(await showHead(calls, uid, signal))
}

const StreamEditor = ({
  stream,
  owner,
  notice,
  reload,
  saved,
}: {
  readonly stream: Stream | undefined
  readonly owner: Owner
  readonly notice: string
  readonly reload: () => void
  readonly saved: (made: Stream, said: string) => void
}) => {
  const edited = useDraft(stream ? `stream ${stream.uid}` : `new stream of ${owner.uid}`, stream, draftOf)
  const { value: draft, change } = edited
  const [problem, setProblem] = useState('')
  const [error, setError] = useState<ScriptError>()
  const refuse = (caught: unknown) => {
    const message = problemOf(caught)
    setProblem(message)
    const isPlaced = caught instanceof CoppiceError && caught.line !== undefined
    setError(isPlaced ? { message, line: caught.line, column: caught.column ?? 1 } : undefined)
  }
  const clear = () => {
    setProblem('')
    setError(undefined)
  }
  const save = async () => {
    clear()
    try {
      const of = owner.kind === 'component' ? { componentUid: owner.uid } : { templateUid: owner.uid }
      const reach = async () => (owner.kind === 'template' ? lastReach(client.peek(), owner.uid) : undefined)
      const before = await reach()
      const made = await saveEntity('stream', edited.first, { ...membersOf(draft), ...(stream ? {} : of) })
      edited.saved(made)
      saved(made, reachedText(before, await reach()))
    } catch (caught) {
      refuse(caught)
      if (caught instanceof CoppiceError && caught.code === 'stale_version') reload()
    }
  }
  const ownerPlace = to([owner.kind, owner.uid])
  const isAdmin = hasRole('admin')
  return (
    <Page
      title={stream ? stream.name || (stream.id ?? '') : words.add}
      lead={
        <span class="quiet">
          {words.of} <a href={ownerPlace}>{owner.name}</a>
        </span>
      }
      actions={
        <>
          {stream && owner.kind === 'component' && stream.valueType !== 'FILE' && (
            <a class="button" href={to(['chart'], { of: nameOf(owner.id, stream.id ?? '') })}>
              {texts.component.chart}
            </a>
          )}
          {isAdmin && stream && (
            <Remove
              name={stream.name}
              loss={owner.kind === 'component' ? words.loss : undefined}
              remove={async () => {
                await client
                  .peek()
                  .entities('stream')
                  .remove(stream.uid ?? '')
                edited.drop()
                location.hash = ownerPlace
              }}
            />
          )}
        </>
      }
    >
      {stream?.expression && owner.kind === 'component' && <DeriveAgain stream={stream} zone={owner.zone} />}
      <StreamDefinition key={edited.turn} draft={draft} change={change} isEditable={isAdmin} />
      {draft.isDerived && (
        <Expression key={`expression ${edited.turn}`} draft={draft} owner={owner} change={change} error={error} />
      )}
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      {isAdmin && (
        <div class="row">
          <button class="first" onClick={() => void save()}>
            {texts.save}
          </button>
          {problem === '' && notice !== '' && <Notice>{notice}</Notice>}
        </div>
      )}
      <Unsaved of={edited} />
      {draft.isDerived && hasRole('member') && <Preview draft={draft} owner={owner} begin={clear} refuse={refuse} />}
    </Page>
  )
}
