/** Between two looks at files that are being written. Short enough not to be noticed. */
const SETTLE_MS = 50
/** Files that never hold still are read all the same after so many looks: an edit is in force within a second. */
const MOST_LOOKS = 8
/**
 * Between two looks while nothing happens. Nothing tells of all changes: a network drive tells of none, nor does a folder that
 * has taken the place of another one.
 */
const REST_MS = 500

export interface Watch {
  /** Looks soon, at other files if there are others now. */
  look(): void
  close(): void
}

interface Watched {
  news(): string | undefined
}

/**
 * Calls back when files hold something new and hold still. It is their content that has to hold still, and not their
 * folder: others write there as well, a log for instance, and must not put an edit off.
 */
export function watchConfig(watched: () => Watched, onChange: () => void): Watch {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let unsettled: { readonly news: string; readonly looks: number } | undefined

  /** How long to wait for the next look. */
  function look(): number {
    const news = watched().news()
    if (news !== undefined && !isSettled(news)) return SETTLE_MS
    unsettled = undefined
    if (news !== undefined) onChange()
    return REST_MS
  }

  /** A look that fails is no reason never to look again. */
  function lookSafely(): void {
    try {
      wait(look())
    } catch {
      wait(REST_MS)
    }
  }

  function isSettled(news: string): boolean {
    const looks = (unsettled?.looks ?? 0) + 1
    const isStill = unsettled?.news === news
    unsettled = { news, looks }
    return isStill || looks >= MOST_LOOKS
  }

  function wait(ms: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(lookSafely, ms).unref()
  }

  wait(look())
  return {
    look: () => wait(SETTLE_MS),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
