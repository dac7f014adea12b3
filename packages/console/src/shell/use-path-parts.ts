import { useHashPath } from './hash-location.ts'

/** The parts of the address, each as it was before it was put there: names may have slashes in them. */
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
