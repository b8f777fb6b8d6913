// How many connections to the database one process opens at most (DATABASE_CONNECTIONS), and how they are divided.
//
//   48 = 2 writers + 1 pulse + 9 jobs + 8 imports + 7 calls + 10 readings + 6 scripts + 3 files + 2 access
//
// PostgreSQL's own default is 100 for all: two workers and their jobs take 88 of them. Those of the last five grow and
// shrink with the number given. Most are opened only under load, and closed when they are idle (pool.ts).

export type Division = {
  readonly jobs: number
  /** For the runs and one trial. */
  readonly imports: number
  /**
   * For changes, and all queries of calls that have no pool of their own. Three of seven are for single queries: with two, single uploads
   * among 100,000 components that are still to be loaded were 0.81 of InfluxDB in place of 0.99.
   */
  readonly calls: number
  /** For readings of samples and statistics. */
  readonly readings: number
  readonly scripts: number
  /** For pieces of files, in and out. Of three, one organization has two: the last place is for others (shares.ts). */
  readonly files: number
  /** For the guard, which recognizes callers. */
  readonly access: number
}

/** Each is one connection for as long as the process lives (core/sample/writer.ts). */
export const writerLanes = 2
const pulse = 1
/**
 * Four jobs at a time (jobs.ts) hold their lock by a transaction each, and work by three more: while two of them work for minutes, as
 * those that aggregate and compress may, the other two have one. Single queries have connections of their own.
 */
export const jobTransactions = 4 + 3
const jobs = jobTransactions + 2
/**
 * Runs of imports that are under way, each with a connection; beside them are one trial and one connection that makes chunks or
 * cancels. The last one is for others than those who have one (shares.ts).
 */
export const importsAtOnce = 6
/** So many of them are at work; others wait for their external databases. An organization has two at most. */
export const importPlaces = 3
const imports = importsAtOnce + 2

/**
 * Connections for readings that are no places (reading.ts): two for the statistics that scripts ask for, one for
 * single queries.
 */
export const besidePlaces = 3

export const defaultConnections = 48
/** So that everybody has one for transactions and one for single queries. */
export const leastConnections = 30

const ofDefault: Omit<Division, 'jobs' | 'imports'> = { calls: 7, readings: 10, scripts: 6, files: 3, access: 2 }

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
