// How many connections to the database one process opens at most (DATABASE_CONNECTIONS), and how they are divided.
//
//   42 = 2 writers + 1 pulse + 8 jobs + 4 imports + 7 calls + 10 readings + 6 scripts + 2 files + 2 access
//
// PostgreSQL's own default is 100 for all: two workers and their jobs take 77 of them. Those of the last five grow and
// shrink with the number given. Most are opened only under load, and closed when they are idle (pool.ts).

export type Division = {
  readonly jobs: number
  /** One for each run, and one for a trial. */
  readonly imports: number
  /** Changes, and whatever a call asks that has no pool of its own. */
  readonly calls: number
  /** Of samples and statistics. */
  readonly readings: number
  readonly scripts: number
  /** Pieces of files, in and out. */
  readonly files: number
  /** For the guard: who is let in. */
  readonly access: number
}

/** Each is one connection for as long as the process lives (core/sample/writer.ts). */
export const writerLanes = 2
const pulse = 1
/** Four at a time, each with its lock and its work (jobs.ts). */
const jobs = 8
/** Runs of imports at once; besides them a trial, and what cancels. */
export const importsAtOnce = 2
const imports = importsAtOnce + 2

/** Of readings' connections: two for the statistics that scripts ask for, one that cancels. The rest are places (reading.ts). */
export const besidePlaces = 3

export const defaultConnections = 42
/** So that everybody has one for transactions and one for single queries. */
export const leastConnections = 25

const ofDefault: Omit<Division, 'jobs' | 'imports'> = { calls: 7, readings: 10, scripts: 6, files: 2, access: 2 }

export const divideConnections = (total: number): Division => {
  const fixed = writerLanes + pulse + jobs + imports
  const scale = (total - fixed) / (defaultConnections - fixed)
  const part = (ofAll: number) => Math.max(1, Math.floor(ofAll * scale))
  return {
    jobs,
    imports,
    calls: Math.max(2, part(ofDefault.calls)),
    readings: Math.max(besidePlaces + 1, part(ofDefault.readings)),
    scripts: Math.max(2, part(ofDefault.scripts)),
    files: part(ofDefault.files),
    access: part(ofDefault.access),
  }
}

/** All processes of one server together: with several, the first has the jobs and serves nobody. */
export const connectionsInAll = (total: number, workers: number): number =>
  workers === 1 ? total : workers * (total - jobs) + jobs + pulse
