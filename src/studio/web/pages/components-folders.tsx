// Folders, one level at a time, so that ten thousand of them cost no more than ten: the way to the chosen one, and those
// right in it. Admins make, move and delete them.
import { useState } from 'preact/hooks'
import { loadEntities, useLoad } from '../load.ts'
import { to } from '../router.ts'
import { client, hasRole } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog, Remove } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, More, Shown } from '../ui/parts.tsx'

const words = texts.catalogue.folder
const root = '/Components'
const pageSize = 200

type Choose = (path: string) => void

export const Folders = ({ chosen, choose }: { readonly chosen: string; readonly choose: Choose }) => {
  const path = chosen || root
  const [shown, setShown] = useState(pageSize)
  const list = useLoad(
    `folders ${path}`,
    (calls, signal) => loadEntities(calls, 'folder', { parent: path }, shown, signal),
    undefined,
    shown,
  )
  return (
    <section class="card stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <nav class="tree" aria-label={words.title}>
        <Way path={path} choose={choose} />
        <Shown of={list}>
          {({ rows, totalCount }) => (
            <>
              {rows.map(({ uid, path: each }) => (
                <FolderLink key={uid} path={each} choose={choose} title={nameOf(each)} />
              ))}
              <More shown={rows.length} total={totalCount} more={() => setShown(rows.length + 1000)} />
            </>
          )}
        </Shown>
      </nav>
      {hasRole('admin') && (
        <Actions
          path={path}
          changed={(now) => {
            choose(now === root ? '' : now)
            list.reload()
          }}
        />
      )}
    </section>
  )
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** The folders from the top to the chosen one. */
const Way = ({ path, choose }: { readonly path: string; readonly choose: Choose }) => {
  const parts = path.slice(root.length).split('/').filter(Boolean)
  const paths = ['', ...parts.map((_, index) => `${root}/${parts.slice(0, index + 1).join('/')}`)]
  return (
    <>
      {paths.map((each, index) => (
        <FolderLink
          key={each}
          path={each}
          choose={choose}
          title={each === '' ? texts.components.all : nameOf(each)}
          isChosen={index === paths.length - 1}
          isAbove
        />
      ))}
    </>
  )
}

const FolderLink = ({
  path,
  title,
  choose,
  isChosen = false,
  isAbove = false,
}: {
  readonly path: string
  readonly title: string
  readonly choose: Choose
  readonly isChosen?: boolean
  readonly isAbove?: boolean
}) => (
  <a
    class={isAbove ? '' : 'below'}
    href={to(['components'], { folder: path || undefined })}
    aria-current={isChosen ? 'true' : undefined}
    onClick={(event) => (event.preventDefault(), choose(path))}
  >
    {title}
  </a>
)

const Actions = ({ path, changed }: { readonly path: string; readonly changed: (path: string) => void }) => {
  const [asked, setAsked] = useState<'new' | 'move'>()
  const close = () => setAsked(undefined)
  const isRoot = path === root
  return (
    <div class="row">
      <button class="bare" onClick={() => setAsked('new')}>
        {words.add}
      </button>
      {!isRoot && (
        <>
          <button class="bare" onClick={() => setAsked('move')}>
            {words.move}
          </button>
          <Remove
            name={nameOf(path)}
            loss={words.loss}
            remove={async () => {
              await client
                .peek()
                .entities('folder')
                .remove(await uidOf(path))
              changed(parentOf(path))
            }}
          />
        </>
      )}
      {asked === 'new' && (
        <Dialog title={words.add} close={close}>
          <Form
            button={texts.save}
            submit={async ({ name = '' }) => {
              await client
                .peek()
                .entities('folder')
                .make({ path: `${path}/${name}` })
              close()
              changed(path)
            }}
          >
            <TextField label={words.addName} name="name" required autofocus />
          </Form>
        </Dialog>
      )}
      {asked === 'move' && (
        <Dialog title={words.move} close={close}>
          <p class="quiet">{words.moveHint}</p>
          <Form
            button={texts.save}
            submit={async ({ path: next = '' }) => {
              const moved = await client
                .peek()
                .entities('folder')
                .change(await uidOf(path), { path: next })
              close()
              changed(moved.path)
            }}
          >
            <TextField label={words.path} name="path" value={path} required autofocus />
          </Form>
        </Dialog>
      )}
    </div>
  )
}

/** The list of a folder and all below it begins with the folder itself. */
const uidOf = async (path: string): Promise<string> => {
  const { folder } = await client.peek().call('GET /api/folder', { query: { path, sort: 'path', limit: 1 } })
  return folder[0]?.uid ?? path
}
