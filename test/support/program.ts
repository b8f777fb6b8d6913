// The program `coppice` as a process is started: as it was built, where that is newer than the source.
import { inThreads } from '../../src/base/thread.ts'

const file = inThreads(new URL('../../src/cli/main.ts', import.meta.url)).pathname

export const program: readonly string[] = [
  process.execPath,
  ...(file.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []),
  file,
]
