// Machines of a factory, by the shifts of its town. One of them wears out: its bearing runs rougher from week to week, gets
// warm, and fails; it is repaired, and the game begins again.
import type { LocalTime } from './local-time.ts'
import { chance, clamp, wander } from './noise.ts'

export type MachineState = 'running' | 'idle' | 'off' | 'fault'

export type MachineReading = {
  readonly state: MachineState
  readonly vibration: number
  readonly temperature: number
  readonly speed: number
  /** Within the last quarter of an hour. */
  readonly pieces: number
}

export type Machine = {
  readonly seed: number
  readonly speed: number
  readonly pieces: number
  readonly isFailing: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** From one repair to the next. */
const wearMs = 97 * dayMs
const repairMs = 1.6 * dayMs

/** 1 when it is as new, up to 6 before it fails; undefined while it is being repaired. */
const wearAt = ({ seed, isFailing }: Machine, ms: number): number | undefined => {
  if (!isFailing) return 1 + 0.12 * (wander(seed + 1, ms / (30 * dayMs)) + 1)
  const sinceMs = (ms + chance(seed, 1) * wearMs) % wearMs
  if (sinceMs > wearMs - repairMs) return undefined
  return Math.exp(Math.log(6) * clamp((sinceMs / wearMs - 0.55) / 0.43, 0, 1) ** 1.5)
}

export const stateAt = (machine: Machine, ms: number, { hour, weekday, date }: LocalTime): MachineState => {
  const { seed } = machine
  const isShift = hour >= 6 && hour < (weekday === 6 ? 14 : 22)
  const isOvertime = weekday < 6 || (weekday === 6 && chance(seed + 2, Math.floor(ms / (7 * dayMs))) < 0.35)
  if (wearAt(machine, ms) === undefined) return 'fault'
  if (!isShift || !isOvertime || date >= 1224 || date <= 101) return 'off'
  const isBreak = (hour >= 9.5 && hour < 9.75) || (hour >= 12.5 && hour < 13) || (hour >= 18 && hour < 18.5)
  // Set-up and waiting for material, some minutes at a time.
  const isWaiting = chance(seed + 3, Math.floor(ms / (10 * minuteMs))) < 0.07
  return isBreak || isWaiting ? 'idle' : 'running'
}

export const readingAt = (machine: Machine, ms: number, localAt: (ms: number) => LocalTime): MachineReading => {
  const { seed } = machine
  const state = stateAt(machine, ms, localAt(ms))
  const wear = wearAt(machine, ms) ?? 1
  const isRunning = state === 'running'
  // Warmth follows the work of the last hour and a half.
  let work = 0
  for (let n = 0; n < 6; n++) {
    const beforeMs = ms - n * 15 * minuteMs
    if (stateAt(machine, beforeMs, localAt(beforeMs)) === 'running') work += 1 / 6
  }
  const rough = 1.5 + 0.25 * wander(seed + 4, ms / (40 * minuteMs)) + 0.3 * chance(seed + 5, ms / minuteMs)
  const hall = 21 + 2.5 * wander(seed + 6, ms / (12 * dayMs)) + 1.5 * Math.sin((2 * Math.PI * (ms % dayMs)) / dayMs - 2)
  const slower = 1 - 0.05 * (wear - 1)
  return {
    state,
    vibration: isRunning ? rough * wear : 0.05 + 0.06 * chance(seed + 7, ms / minuteMs),
    temperature: hall + 27 * work * (1 + 0.13 * (wear - 1)) + 0.4 * wander(seed + 8, ms / (20 * minuteMs)),
    speed: isRunning ? machine.speed * slower * (1 + 0.012 * wander(seed + 9, ms / (7 * minuteMs))) : 0,
    pieces: Math.round(machine.pieces * work * slower * (0.94 + 0.08 * chance(seed + 10, ms / minuteMs))),
  }
}
