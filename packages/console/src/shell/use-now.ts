import { useSyncExternalStore } from 'react'

interface Clock {
  readonly watchers: Set<() => void>
  now: number
  timer?: ReturnType<typeof setInterval>
}

/** One clock per interval, shared by all components that show relative times. */
const clocks = new Map<number, Clock>()

export function useNow(everyMs = 15_000): number {
  return useSyncExternalStore(
    watcher => {
      const clock = clockOf(everyMs)
      clock.watchers.add(watcher)
      clock.timer ??= setInterval(() => tick(everyMs), everyMs)
      return () => {
        clock.watchers.delete(watcher)
        if (clock.watchers.size > 0) return
        clearInterval(clock.timer)
        clocks.delete(everyMs)
      }
    },
    () => clockOf(everyMs).now,
  )
}

function clockOf(everyMs: number): Clock {
  const known = clocks.get(everyMs)
  if (known !== undefined) return known
  const clock: Clock = { watchers: new Set<() => void>(), now: Date.now() }
  clocks.set(everyMs, clock)
  return clock
}

function tick(everyMs: number): void {
  const clock = clockOf(everyMs)
  clock.now = Date.now()
  for (const watcher of clock.watchers) watcher()
}
