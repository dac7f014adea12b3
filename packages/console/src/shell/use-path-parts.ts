import { useHashPath } from './hash-location.ts'

/** Returns the segments of the path. Each is decoded after splitting, because names can contain slashes. */
export function usePathParts(): readonly string[] {
  const [path] = useHashPath()
  return path.split('/').slice(1).map(decode)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
