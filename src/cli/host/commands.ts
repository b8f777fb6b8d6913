// The commands that work on the machine of a server, as data. Each loads its part of the server when it is run.
import type { Command, Option } from '../command.ts'
import { exit } from '../command.ts'
import { UsageError } from '../given.ts'

/** Errors of these names are sentences for the user; a ConfigError has one in each line. */
const sentences: ReadonlySet<string> = new Set(['StartError', 'BackupError', 'ConfigError', 'HostError'])

/** A command whose errors, where they are the user's to mend, are shown without a stack. */
const telling = (command: Command): Command => ({
  ...command,
  run: async (context, given) => {
    try {
      return await command.run(context, given)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // Loaded later, by a loader that translates on the way, it is not of the same class.
      if (error.constructor.name === UsageError.name) throw new UsageError(error.message)
      if (!sentences.has(error.name)) throw error
      await context.err(`coppice ${command.name}: ${error.message}\n`)
      return exit.refused
    }
  },
})

const hostCommand = (command: Command): Command => telling({ ...command, isHost: true })

const passphraseFile: Option = {
  type: 'string',
  value: 'FILE',
  about: 'the file whose first line is the passphrase (or COPPICE_PASSPHRASE); else it is asked for',
}

export const backup = hostCommand({
  name: 'backup',
  summary: 'back up the server of this machine into one file, while it runs',
  usage: '[FILE | DIRECTORY | -]',
  details: `Takes the configuration of the server: the same DATA_DIR, DATABASE_URL and MASTER_KEY. The file holds all
organizations with everything in them, and the master key, encrypted by a passphrase that you choose and must keep.
Without FILE it is coppice-DATE.tar; '-' writes to the standard output.`,
  examples: ['coppice backup', 'coppice backup /var/backups --passphrase-file /etc/coppice/passphrase'],
  options: {
    'passphrase-file': passphraseFile,
    'without-master-key': { type: 'boolean', about: 'leave the master key out: it must then be kept elsewhere' },
  },
  run: async (context, given) => (await import('./backup.ts')).runBackup(context, given),
})

export const restore = hostCommand({
  name: 'restore',
  summary: 'restore a backup on this machine, into an empty database',
  usage: 'FILE',
  details: `Takes the configuration of the server that is to come: DATA_DIR for an embedded database, which is made, or the
DATABASE_URL of an empty one. The whole file is checked before anything is touched. The master key of the backup becomes
that of the server. A backup of an older version is brought up to date when the server starts.`,
  examples: ['coppice restore coppice-20261116T060000Z.tar --passphrase-file /etc/coppice/passphrase'],
  options: { 'passphrase-file': passphraseFile },
  run: async (context, given) => (await import('./restore.ts')).runRestore(context, given),
})

export const resetPassword = hostCommand({
  name: 'reset-password',
  summary: 'make a link for a user who has forgotten the password, or set one',
  usage: 'EMAIL',
  details: `Works on the machine of the server, for every user, an owner too. The link is printed, valid for 24 hours and for
one use; with --set the new password is asked for, and holds at once. Both are in the audit log. Sessions and connected
applications of the user end with the new password.`,
  examples: ['coppice reset-password ada@example.org', 'coppice reset-password ada@example.org --set'],
  options: {
    set: { type: 'boolean', about: 'ask for the new password, in place of a link' },
    'password-file': { type: 'string', value: 'FILE', about: 'the file whose first line is the new password' },
  },
  run: async (context, given) => (await import('./reset-password.ts')).runResetPassword(context, given),
})

export const doctor = hostCommand({
  name: 'doctor',
  summary: 'say what is wrong with configuration, database, versions and disk',
  usage: '',
  details: `Takes the configuration of the server, and works whether that runs or not. Each line is ok, warn or wrong, with the one
thing that helps; the exit code is 1 when something is wrong. Nothing is changed.`,
  examples: ['coppice doctor'],
  options: {},
  run: async (context, given) => (await import('./doctor.ts')).runDoctor(context, given),
})

/** Over the API, so it works on any server. */
export const demo = telling({
  name: 'demo',
  summary: 'fill an organization with a believable fleet, or take it away',
  usage: '',
  details: `Weather stations, energy meters and machines in five time zones, with units, templates, derived streams, files and a year of
samples, below the folder /Components/Demo. To run it again adds what has come since, and nothing twice. Needs a session, or an
API key that may make components.`,
  examples: ['coppice demo --size small', 'coppice demo --remove'],
  options: {
    size: {
      type: 'string',
      value: 'SIZE',
      about: 'small (30 days), medium (a year; as if not given) or large (two years, 59 components)',
    },
    seed: { type: 'string', value: 'NUMBER', about: 'another fleet of the same kind; 1 unless given' },
    remove: { type: 'boolean', about: 'take the fleet away' },
  },
  run: async (context, given) => (await import('./demo.ts')).runDemo(context, given),
})

export const sqlRole = hostCommand({
  name: 'sql-role',
  summary: 'give people SQL on the views of an organization: create, list and drop their roles',
  usage: 'create [--org UID] [--name NAME] | list | drop NAME',
  details: `Makes a read-only role of the database, for tools such as Grafana, Power BI and psql (docs/bi.md). Its password is shown
once, and kept nowhere. With an embedded database set EMBEDDED_PORT, so that it has the same port after every start.`,
  examples: [
    'coppice sql-role create --org 7d2a4b9e-0c1f-4e57-9a57-1f0e6f0a6a11',
    'coppice sql-role create --name grafana',
    'coppice sql-role list',
    'coppice sql-role drop grafana',
  ],
  options: {
    org: { type: 'string', value: 'UID', about: 'the organization; not needed where there is only one' },
    name: { type: 'string', value: 'NAME', about: 'the name of the role; made up unless given' },
    json: { type: 'boolean', about: 'as JSON' },
  },
  run: async (context, given) => (await import('./sql-role.ts')).runSqlRole(context, given),
})
