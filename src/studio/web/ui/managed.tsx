// The entities of one kind as a page shows them: a list, one dialog in which an entity is made or changed, a removal that
// asks first. A page says what is its own: columns, fields and words.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { EntityName, EntityOf } from '../../../client/client.ts'
import { loadEntities, useLoad } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog, Remove } from './dialog.tsx'
import { List } from './list.tsx'
import type { Column } from './list.tsx'
import { Form, More, Shown } from './parts.tsx'
import type { Given } from './parts.tsx'
import { Search } from './search.tsx'

/** The dialog of one entity; undefined: a new one. */
export type Edited<Name extends EntityName> = {
  readonly of: EntityOf<Name> | undefined
  readonly close: () => void
  readonly saved: (made: EntityOf<Name>) => void
}

type ManagedOf<Name extends EntityName> = {
  readonly entity: Name
  /** The words of the button for a new one. */
  readonly add: string
  readonly columns: readonly Column<EntityOf<Name>>[]
  readonly nameOf: (row: EntityOf<Name>) => string
  readonly editor: (edited: Edited<Name>) => ComponentChildren
  readonly empty?: string
  /** What goes with it, for the question before a removal. */
  readonly loss?: string
  /** Those that may be changed and removed; all unless given. */
  readonly isOwn?: (row: EntityOf<Name>) => boolean
  /** Further buttons of a row. */
  readonly actions?: (row: EntityOf<Name>) => ComponentChildren
  /** Called with one that was just made. */
  readonly made?: (row: EntityOf<Name>) => void
}

const pageSize = 100
/** From so many on one looks for them by text. */
const many = 20

export const Managed = <Name extends EntityName>(props: ManagedOf<Name>) => {
  const { entity, add, columns, nameOf, editor, empty, loss, isOwn = () => true, actions, made } = props
  const [text, setText] = useState('')
  const [shown, setShown] = useState(pageSize)
  const [edited, setEdited] = useState<EntityOf<Name> | 'new'>()
  const list = useLoad(
    `${entity} ${text}`,
    (calls, signal) => loadEntities(calls, entity, { text: text || undefined }, shown, signal),
    undefined,
    shown,
  )
  const isAdmin = hasRole('admin')
  const actionsOf = (row: EntityOf<Name>) => (
    <div class="row">
      {actions?.(row)}
      {isAdmin && isOwn(row) && (
        <>
          <button class="bare" onClick={() => setEdited(row)}>
            {texts.edit}
          </button>
          <Remove
            name={nameOf(row)}
            loss={loss}
            remove={async () => {
              await client.peek().entities(entity).remove(identityOf(row).uid)
              list.reload()
            }}
          />
        </>
      )}
    </div>
  )
  return (
    <>
      {isAdmin && (
        <div>
          <button class="first" onClick={() => setEdited('new')}>
            {add}
          </button>
        </div>
      )}
      <Shown of={list}>
        {({ totalCount, rows }) => (
          <>
            {(totalCount > many || text !== '') && <Search label={texts.search} value={text} change={setText} />}
            <List
              rows={rows}
              keyOf={(row) => identityOf(row).uid}
              {...(empty === undefined ? {} : { empty })}
              columns={[...columns, { title: texts.actions, isQuiet: true, shown: actionsOf }]}
            />
            <More shown={rows.length} total={totalCount} more={() => setShown(rows.length + pageSize * 5)} />
          </>
        )}
      </Shown>
      {edited &&
        editor({
          of: edited === 'new' ? undefined : edited,
          close: () => setEdited(undefined),
          saved: (row) => {
            setEdited(undefined)
            list.reload()
            if (edited === 'new') made?.(row)
          },
        })}
    </>
  )
}

/** All have a uid, and all but folders a version. */
const identityOf = (row: unknown): { readonly uid: string; readonly version?: number } => {
  const { uid, version } = row as { readonly uid: string; readonly version?: number }
  return version === undefined ? { uid } : { uid, version }
}

/** Makes an entity, or changes it as it was read: one that somebody else has changed meanwhile is refused. */
export const saveEntity = async <Name extends EntityName>(
  entity: Name,
  of: EntityOf<Name> | undefined,
  members: object,
): Promise<EntityOf<Name>> => {
  const entities = client.peek().entities(entity)
  if (of === undefined) return entities.make(members as never)
  const { uid, ...version } = identityOf(of)
  return entities.change(uid, { ...members, ...version } as never)
}

export const EntityDialog = <Name extends EntityName>({
  entity,
  of,
  title,
  members,
  close,
  saved,
  isWide = false,
  children,
}: Edited<Name> & {
  readonly entity: Name
  readonly title: string
  readonly isWide?: boolean
  readonly members: (given: Given) => object
  readonly children: ComponentChildren
}) => (
  <Dialog title={title} close={close} isWide={isWide}>
    <Form button={texts.save} submit={async (given) => saved(await saveEntity(entity, of, members(given)))}>
      {children}
    </Form>
  </Dialog>
)
