// One sentence for the user from the last output of PostgreSQL's programs.
import { StartError } from '../base/start-error.ts'

export const complaint = (output: string, place: string, cause?: unknown): StartError => {
  if (/no space left on device|ENOSPC|disk quota exceeded/i.test(output))
    return new StartError(`The disk that holds ${place} is full: make room and start again.`, cause)
  if (/could not access file "\$?[^"]*timescaledb[^"]*"/.test(output))
    return new StartError(`This PostgreSQL cannot load TimescaleDB: ${worstLine(output)}.`, cause)
  return new StartError(`The embedded database in ${place} does not start: ${worstLine(output)}.`, cause)
}

const worstLine = (output: string) => {
  const lines = output.trim().split('\n')
  const worst = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return worst.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}
