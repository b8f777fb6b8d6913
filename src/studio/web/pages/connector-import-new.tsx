// A new import, through a connection that is there.
import { useConnections } from '../names.ts'
import { go, to } from '../router.ts'
import { client, person } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { Form, Shown } from '../ui/parts.tsx'

const words = texts.importing.import

/** A beginning that shows how columns become samples. */
const externalSql = 'SELECT meter, at, value\nFROM reading'
const ingestSql = `INSERT OR REPLACE INTO SAMPLE(CID, ID, TIME, SAMPLE)
SELECT meter, 'value', at, value
FROM CSV_TABLE(@JDBC_RESULT) WITH (
  1 meter STRING,
  2 at LONG,
  3 value DOUBLE
)`

export const NewImport = ({ close }: { readonly close: () => void }) => {
  const connections = useConnections()
  return (
    <Dialog title={words.add} close={close}>
      <Shown of={connections}>
        {(all) =>
          Object.keys(all).length === 0 ? (
            <p>
              {texts.importing.connection.none}{' '}
              <a href={to(['connectors'], { tab: 'connections' })} onClick={close}>
                {texts.importing.connection.add}
              </a>
            </p>
          ) : (
            <Form
              button={texts.save}
              submit={async ({ name = '', connectionUid = '' }) => {
                const runningUserUid = person.peek()!.userUid
                const members = { name, connectionUid, runningUserUid, externalSql, ingestSql }
                const made = await client
                  .peek()
                  .entities('connector')
                  .make({ type: 'import', ...members })
                go(['connector', made.uid])
              }}
            >
              <TextField label={words.name} name="name" required autofocus />
              <Choice label={words.connection} name="connectionUid" value={undefined} options={all} />
            </Form>
          )
        }
      </Shown>
    </Dialog>
  )
}
