/** Whether a target is a running server or a way to start one, and not a file. */
export function isLive(target: string): boolean {
  return isUrl(target) || /\s/.test(target.trim())
}

export function isUrl(target: string): boolean {
  return /^https?:\/\//i.test(target)
}
