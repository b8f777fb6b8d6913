// The age of a time on a page: it grows while nothing happens.
import { signal } from '@preact/signals'
import { showAge, showTime } from '../time.ts'

const now = signal(Date.now())
setInterval(() => (now.value = Date.now()), 5000)

export const Age = ({ time, zone }: { readonly time: number; readonly zone: string }) => (
  <time class="quiet" dateTime={new Date(time).toISOString()} title={`${showTime(time, zone)} ${zone}`}>
    {showAge(time, now.value)}
  </time>
)
