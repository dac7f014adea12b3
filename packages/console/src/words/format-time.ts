const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/**
 * Formats a short relative time.
 *
 * @example
 * formatAgo(0, 65_000) // '1 min ago'
 */
export function formatAgo(at: number, now: number): string {
  const elapsed = now - at
  if (elapsed < 0) return `in ${formatLength(-elapsed)}`
  return elapsed < 5000 ? 'just now' : `${formatLength(elapsed)} ago`
}

function formatLength(ms: number): string {
  for (const [unit, size] of UNITS) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`
  return `${Math.max(0, Math.round(ms))} ms`
}

/** Formats the time that is left, such as `4:09`. */
export function formatTimeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const minutes = Math.floor(seconds / 60)
  if (minutes >= 60) return formatLength(seconds * 1000)
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}

export function formatDuration(ms: number | undefined): string {
  if (ms === undefined) return '–'
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
}

export function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined) return '–'
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** Formats a time for a table row, with the date if it is not today's. */
export function formatClock(at: number, now = Date.now()): string {
  const date = new Date(at)
  const time = date.toLocaleTimeString('en-GB')
  return date.toDateString() === new Date(now).toDateString()
    ? time
    : `${date.toLocaleDateString('en-CA')} ${time}`
}
