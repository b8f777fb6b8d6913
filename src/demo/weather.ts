// The weather of a place: the sun by its height above the horizon, fronts that pass in days, and what follows from them
// for cloud, temperature, humidity, pressure, wind and rain.
import { clamp, drift, wander } from './noise.ts'

export type Place = {
  readonly latitude: number
  readonly longitude: number
  /** The mean of the year, half of the way from winter to summer, and from night to afternoon, in °C. */
  readonly meanC: number
  readonly seasonC: number
  readonly dayC: number
  /** The mean wind, in m/s. */
  readonly wind: number
  /** How much it rains when it does; 1 is Hamburg. */
  readonly wet: number
}

export type Weather = {
  readonly temperature: number
  readonly humidity: number
  readonly pressure: number
  readonly wind: number
  /** In mm within a quarter of an hour. */
  readonly rain: number
  /** W/m² on level ground. */
  readonly sun: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const yearMs = 365.2425 * dayMs
const turn = 2 * Math.PI

/** The sine of the sun's height, below 0 at night. */
export const sunHeight = ({ latitude, longitude }: Pick<Place, 'latitude' | 'longitude'>, ms: number): number => {
  const declination = -0.4093 * Math.cos(turn * ((ms / yearMs + 10 / 365.2425) % 1))
  const hourAngle = turn * (solarHour(longitude, ms) / 24 - 0.5)
  const north = (latitude * Math.PI) / 180
  return Math.sin(north) * Math.sin(declination) + Math.cos(north) * Math.cos(declination) * Math.cos(hourAngle)
}

const solarHour = (longitude: number, ms: number): number => {
  const hour = (ms % dayMs) / hourMs + longitude / 15
  return ((hour % 24) + 24) % 24
}

export const weatherAt = (place: Place, seed: number, ms: number): Weather => {
  const { latitude, longitude, meanC, seasonC, dayC, wet } = place
  const front = drift(seed, ms / (4.5 * dayMs))
  const cloud = clamp(0.5 - 0.6 * front + 0.45 * wander(seed + 1, ms / (7 * hourMs)), 0, 1)
  const height = Math.max(0, sunHeight(place, ms))
  const sun =
    1050 * height ** 1.18 * (1 - 0.75 * cloud ** 3) * (1 - 0.12 * cloud * (wander(seed + 2, ms / 1_200_000) + 1))
  // The warmest weeks come a month after the longest day, the warmest hour in the afternoon.
  const season = Math.cos(turn * (ms / yearMs - 201 / 365.2425)) * Math.sign(latitude || 1)
  const afternoon = Math.cos((turn * (solarHour(longitude, ms) - 14.5)) / 24)
  const masses = 4.2 * drift(seed + 3, ms / (3.1 * dayMs)) * Math.min(1, Math.abs(latitude) / 35 + 0.15)
  const usual = meanC + seasonC * season + masses
  const temperature = usual + dayC * afternoon * (1 - 0.6 * cloud) + 0.25 * wander(seed + 4, ms / 2_400_000)
  const rain = rainAt(seed, cloud, wet, ms)
  const humidity = clamp(
    30 +
      45 * Math.min(1.05, wet) -
      2.4 * (temperature - usual) -
      14 * front +
      (rain > 0 ? 14 : 0) +
      4 * wander(seed + 5, ms / (2 * hourMs)),
    12,
    100,
  )
  const tide = Math.cos((2 * turn * (solarHour(longitude, ms) - 10)) / 24)
  const pressure = 1013.5 + 15 * front * Math.min(1, Math.abs(latitude) / 45 + 0.1) + 0.9 * tide
  const wind =
    place.wind * (0.75 - 0.35 * front + 0.3 * afternoon * (1 - cloud) + 0.55 * wander(seed + 6, ms / (5 * hourMs))) +
    0.6 * wander(seed + 7, ms / 900_000)
  return { temperature, humidity, pressure, wind: Math.max(0, wind), rain, sun }
}

/** Showers inside of thick cloud, in whole tips of a gauge of 0.2 mm. */
const rainAt = (seed: number, cloud: number, wet: number, ms: number): number => {
  const shower = wander(seed + 8, ms / (2.5 * hourMs)) + 0.35 * wander(seed + 9, ms / 1_800_000)
  if (cloud < 0.72 || shower < 0.12) return 0
  const mm = 1.3 * wet * ((cloud - 0.72) / 0.28) * shower ** 2.4
  return Math.round(mm / 0.2) * 0.2
}
